import type { Doubt } from './doubt.ts';
import { unevaluatedKinds } from './unevaluated-policies.ts';

/** Objects that could not be read. */
export interface Gap {
  /** Absent: nobody knows what would be there. */
  readonly kind?: string;
  /** Instead of a kind: nobody could say which kinds this API group has. */
  readonly group?: string;
  /** The server could not say: it was not forbidden to look. */
  readonly isUnanswered?: true;
  /** `networkpolicies.networking.k8s.io`; the group; `policies.yaml:7`, from where on a file of manifests makes no sense. */
  readonly resource: string;
  /** Where they could be read all the same. */
  readonly readIn: readonly string[];
  /** Why, in the server's words, or in those of whoever read the file. */
  readonly message: string;
}

/** Whether one that is missing may turn a verdict. */
export const isPolicyKind = (kind: string): boolean => evaluatedKinds.has(kind) || unevaluatedKinds.some((known) => known.kind === kind);

const evaluatedKinds = new Set(['NetworkPolicy', 'ClusterNetworkPolicy', 'AdminNetworkPolicy', 'BaselineAdminNetworkPolicy']);

/** A policy that nobody could read may say anything. */
export const doubtsOfGaps = (gaps: readonly Gap[]): readonly Doubt[] =>
  gaps.flatMap(({ kind, group, resource, readIn, isUnanswered }): readonly Doubt[] => {
    if (group !== undefined) return doubtsOfGroup(group);
    const unevaluated = unevaluatedKinds.find(
      (known) => known.kind === kind && known.groups.some((group) => resource.endsWith(`.${group}`)),
    );
    if (kind !== undefined && unevaluated === undefined && !evaluatedKinds.has(kind)) return [];
    const refusal = isUnanswered === true ? 'could not be asked' : 'may not be listed';
    const why = kind === undefined ? 'cannot be read' : `${refusal}${readIn.length === 0 ? '' : ` outside ${readIn.join(', ')}`}`;
    return [
      {
        on: `${resource}, which ${why}`,
        effect: unevaluated?.effect ?? 'both',
        directions: unevaluated?.directions ?? ['Ingress', 'Egress'],
        concerns: (subject) => subject.kind === 'pod' && !readIn.includes(subject.namespace),
      },
    ];
  });

/** What its policies could do, whichever it has; nothing for a group that has none. */
const doubtsOfGroup = (group: string): readonly Doubt[] => {
  const on = `${group}, which could not be asked`;
  const concerns: Doubt['concerns'] = ({ kind }) => kind === 'pod';
  if (group === evaluatedGroup) return [{ on, effect: 'both', directions: ['Ingress', 'Egress'], concerns }];
  const kinds = unevaluatedKinds.filter(({ groups }) => groups.includes(group));
  if (kinds.length === 0) return [];
  return [
    {
      on,
      effect: kinds.some(({ effect }) => effect === 'both') ? 'both' : 'shuts',
      directions: [...new Set(kinds.flatMap(({ directions = ['Ingress', 'Egress'] }) => directions))],
      concerns: (subject, other) =>
        subject.kind === 'pod' && (other.kind === 'address' || kinds.some(({ outsideOnly }) => outsideOnly !== true)),
    },
  ];
};

/** Of the policies for the whole cluster. */
const evaluatedGroup = 'policy.networking.k8s.io';
