import type { Doubt } from './doubt.ts';
import { unevaluatedKinds } from './unevaluated-policies.ts';

/** Objects that could not be read. */
export interface Gap {
  readonly kind: string;
  /** `networkpolicies.networking.k8s.io` */
  readonly resource: string;
  /** Where they could be read all the same. */
  readonly readIn: readonly string[];
  /** Why, in the server's words. */
  readonly message: string;
}

const evaluatedKinds = new Set(['NetworkPolicy', 'ClusterNetworkPolicy', 'AdminNetworkPolicy', 'BaselineAdminNetworkPolicy']);

/** A policy that nobody could read may say anything. */
export const doubtsOfGaps = (gaps: readonly Gap[]): readonly Doubt[] =>
  gaps.flatMap(({ kind, resource, readIn }): readonly Doubt[] => {
    const unevaluated = unevaluatedKinds.find(
      (known) => known.kind === kind && known.groups.some((group) => resource.endsWith(`.${group}`)),
    );
    if (unevaluated === undefined && !evaluatedKinds.has(kind)) return [];
    return [
      {
        on: `${resource}, which may not be listed${readIn.length === 0 ? '' : ` outside ${readIn.join(', ')}`}`,
        effect: unevaluated?.effect ?? 'both',
        directions: unevaluated?.directions ?? ['Ingress', 'Egress'],
        concerns: (subject) => subject.kind === 'pod' && !readIn.includes(subject.namespace),
      },
    ];
  });
