import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { PolicyInput } from '../policy/policy-input.ts';

/** One thing that is not as it was, as small as it can be told: a rule, a selector, labels. */
export interface ObjectChange {
  /** Unique in a diff: `NetworkPolicy llm-serving/llm-serving-ingress: ingress rule 0 removed`. */
  readonly text: string;
  /** `rule.yaml:19`: where it is now; of what is gone, where it was. */
  readonly source?: string;
  /** What the change is undone by, for the question whether it matters. */
  readonly effect: ChangeEffect;
}

export type ChangeEffect =
  | {
      readonly kind: 'policy';
      /** Absent: its policy speaks for all namespaces. */
      readonly namespace?: string;
      readonly policy: PolicyInput;
      /** What the policy is now, but for this change; absent: not there. */
      readonly undone?: PolicyInput;
      /** What the policy was, and this change; absent: not there. */
      readonly alone?: PolicyInput;
      /** It may be the first that speaks for a pod. */
      readonly mayIsolate: boolean;
    }
  /** Labels, named ports or network of a workload's pods. */
  | { readonly kind: 'workload'; readonly id: string }
  | { readonly kind: 'namespace'; readonly name: string; readonly before?: KubernetesObject; readonly after?: KubernetesObject }
  /** The workload itself came or went. */
  | { readonly kind: 'presence'; readonly id: string };
