import type { NetworkPolicy } from '../../kubernetes/network-policy.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { createPolicyEngine } from './create-policy-engine.ts';
import type { PathQuestion as EngineQuestion, PathVerdict } from './engine.ts';

export interface PathQuestion extends EngineQuestion {
  /** Of all namespaces; those of the client's and the server's decide. */
  readonly policies: readonly NetworkPolicy[];
  /** Namespace objects, for their labels. One that is missing makes what asks for its labels `depends`. */
  readonly namespaces: readonly KubernetesObject[];
}

/** One question to an engine made for it. For more than a few, make one engine and ask it. */
export const evaluatePath = ({ policies, namespaces, ...question }: PathQuestion): PathVerdict => {
  const ends = [question.client, question.server].flatMap((peer) => (peer.kind === 'pod' ? [peer.namespace] : []));
  const own = policies.filter(({ metadata: { namespace = 'default' } }) => ends.includes(namespace));
  return createPolicyEngine({
    policies: own.map((object) => ({ kind: 'NetworkPolicy', object })),
    namespaces,
    peers: [],
  }).path(question);
};
