import type { ClusterFlags } from './open-cluster.ts';

/** Where the runbook comes from: a file, a name (`runbooks/NAME.yaml` here, then the shipped ones), or the flags of `cutover`. */
export type RunbookSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'name'; readonly name: string }
  | {
      readonly kind: 'cutover';
      readonly service: string;
      readonly from: string;
      readonly to: string;
      readonly client?: string;
      readonly port?: number;
      readonly path?: string;
      readonly replicas?: number;
    };

export interface PlanRequest {
  readonly source: RunbookSource;
  readonly cluster: ClusterFlags;
  /** `--set NAME=VALUE`, as typed. */
  readonly set: Readonly<Record<string, string>>;
  readonly reverse: boolean;
  /** False: `--no-probe`. */
  readonly probe: boolean;
  /** `--probe-image`: ask from pods of this image that stand in for the clients. Absent: from the clients' own. */
  readonly probeImage?: string;
  /** What was typed, the program first (`poimen`, or `npx poimen`): next steps are told in the same words. */
  readonly invocation: readonly string[];
}
