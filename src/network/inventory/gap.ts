import type { Doubt } from './doubt.ts';
import { unevaluatedKinds } from './unevaluated-policies.ts';

/** Objects that could not be read. */
export interface Gap {
  /** Absent: nobody knows what would be there. */
  readonly kind?: string;
  /** `networkpolicies.networking.k8s.io`; `policies.yaml:7`, from where on a file of manifests makes no sense. */
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
  gaps.flatMap(({ kind, resource, readIn }): readonly Doubt[] => {
    const unevaluated = unevaluatedKinds.find(
      (known) => known.kind === kind && known.groups.some((group) => resource.endsWith(`.${group}`)),
    );
    if (kind !== undefined && unevaluated === undefined && !evaluatedKinds.has(kind)) return [];
    const why = kind === undefined ? 'cannot be read' : `may not be listed${readIn.length === 0 ? '' : ` outside ${readIn.join(', ')}`}`;
    return [
      {
        on: `${resource}, which ${why}`,
        effect: unevaluated?.effect ?? 'both',
        directions: unevaluated?.directions ?? ['Ingress', 'Egress'],
        concerns: (subject) => subject.kind === 'pod' && !readIn.includes(subject.namespace),
      },
    ];
  });
