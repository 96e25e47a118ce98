import { nearestName } from '../../errors/nearest-name.ts';
import { PoimenError } from '../../errors/poimen-error.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { kindNames, typedKind } from './kind-names.ts';

/** Errors about FROM and TO; all of them are usage errors, and say what may have been meant. */
export interface EndErrorContext {
  readonly inventory: Inventory;
  /** `FROM`, `TO`: what errors call it. */
  readonly role: string;
}

export const unknownKind = (kindText: string, name: string, { role }: EndErrorContext): PoimenError => {
  const nearest = nearestName(kindText, kindNames());
  return new PoimenError({
    outcome: 'usage',
    code: 'UnknownKind',
    summary: `${role}: "${kindText}" is no kind that has connections`,
    detail: `known: ${kindNames().join(', ')}`,
    nextSteps: nearest === undefined ? [] : [`did you mean ${nearest}/${name}?`],
  });
};

export const unknownNamespace = (name: string, known: ReadonlySet<string>, { role, inventory }: EndErrorContext): PoimenError => {
  const nearest = nearestName(name, known);
  return new PoimenError({
    outcome: 'usage',
    code: 'UnknownNamespace',
    summary: `${role}: there is no namespace ${name}`,
    detail: [`known: ${[...known].toSorted().join(', ')}`, ...gapLines(inventory)].join('\n'),
    nextSteps: [
      nearest === undefined
        ? `name the namespace that is meant: -n ${[...known].toSorted()[0] ?? 'NAMESPACE'}`
        : `did you mean ${nearest}?`,
    ],
  });
};

/** `sameName`: what has this name elsewhere, or is of another kind. */
export const unknownObject = (
  kind: string | undefined,
  name: string,
  namespace: string,
  sameName: readonly string[],
  { inventory, role }: EndErrorContext,
): PoimenError => {
  const known = [
    ...inventory.services.map((entry) => ({ kind: 'Service', name: entry.service.metadata.name, namespace: entry.namespace })),
    ...inventory.peers,
  ].filter((candidate) => candidate.namespace === namespace && (kind === undefined || candidate.kind === kind));
  const nearest = nearestName(
    name,
    known.map((candidate) => candidate.name),
  );
  const meant = [
    ...sameName,
    ...known
      .filter((candidate) => sameName.length === 0 && candidate.name === nearest)
      .map((candidate) => `${typedKind(candidate.kind)}/${candidate.name}.${namespace}`),
  ];
  return new PoimenError({
    outcome: 'usage',
    code: 'UnknownObject',
    summary: `${role}: there is no ${kind === undefined ? `object ${name}` : `${kind.toLowerCase()} ${name}`} in ${namespace}`,
    ...detailOf(inventory),
    nextSteps: meant.length === 0 ? [] : [`did you mean ${meant.join(' or ')}?`],
  });
};

export const ambiguous = (name: string, candidates: readonly string[], { role }: EndErrorContext, detail?: string): PoimenError =>
  new PoimenError({
    outcome: 'usage',
    code: 'AmbiguousName',
    summary: `${role}: "${name}" can be ${candidates.join(' or ')}`,
    ...(detail === undefined ? {} : { detail }),
    nextSteps: [`write which one is meant: ${candidates[0] ?? name}`],
  });

export const nothingThere = (problem: string, { inventory, role }: EndErrorContext, nextSteps: readonly string[] = []): PoimenError =>
  new PoimenError({ outcome: 'usage', code: 'NothingSelected', summary: `${role}: ${problem}`, ...detailOf(inventory), nextSteps });

/** What was not found may be among what could not be read. */
const gapLines = ({ gaps }: Inventory): readonly string[] =>
  gaps.length === 0 ? [] : ['not everything could be read:', ...gaps.map(({ message }) => `  ${message}`)];

const detailOf = (inventory: Inventory): { readonly detail?: string } => {
  const lines = gapLines(inventory);
  return lines.length === 0 ? {} : { detail: lines.join('\n') };
};
