import type { Protocol } from '../kubernetes/pod.ts';
import type { NetcheckRequest, OnlyFromRequest } from '../operations/netcheck.ts';
import type { NetworkSource } from '../operations/network-source.ts';
import { readClusterFlags, type ParsedClusterFlags } from './flags.ts';
import { usageError } from './usage-error.ts';

export interface ParsedNetcheckFlags extends ParsedClusterFlags {
  readonly filename?: string | undefined;
  readonly port?: number | undefined;
  readonly protocol?: Protocol | undefined;
  readonly cni?: string | undefined;
  readonly expect?: 'allowed' | 'denied' | undefined;
  readonly fix: boolean;
  readonly 'only-from'?: readonly string[] | undefined;
}

/** FROM and TO as they were typed: one of them alone is TO. */
export interface TypedEnds {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export type NetcheckQuestion =
  | { readonly kind: 'query'; readonly request: NetcheckRequest }
  | { readonly kind: 'onlyFrom'; readonly request: OnlyFromRequest };

/** Manifests, the twin, or a cluster. `--as` with labels is a client and no user. */
export const networkSourceOf = (flags: ParsedNetcheckFlags): NetworkSource => {
  if (flags.filename === undefined) {
    const { as: _as, ...others } = flags;
    return { kind: 'cluster', flags: readClusterFlags(isDescription(flags.as) ? others : flags) };
  }
  return { kind: 'manifests', path: flags.filename, ...(flags.namespace === undefined ? {} : { namespace: flags.namespace }) };
};

export const netcheckQuestion = (typed: TypedEnds, flags: ParsedNetcheckFlags): NetcheckQuestion => {
  const asked = {
    source: networkSourceOf(flags),
    ...(flags.port === undefined ? {} : { port: flags.port }),
    ...(flags.protocol === undefined ? {} : { protocol: flags.protocol }),
    ...(flags.cni === undefined ? {} : { cni: flags.cni }),
  };
  const described = isDescription(flags.as) ? `as:${flags.as}` : undefined;
  const only = [...(flags['only-from'] ?? [])];
  if (only.length > 0) {
    if (typed.from === undefined || typed.to !== undefined || described !== undefined) {
      throw usageError('EndsMismatch', 'with --only-from one object is asked about: TO', [
        'poimen netcheck --only-from deploy/CLIENT.NAMESPACE svc/NAME.NAMESPACE',
      ]);
    }
    return { kind: 'onlyFrom', request: { ...asked, only, to: typed.from } };
  }
  const { from, to } = ends(typed, described);
  return {
    kind: 'query',
    request: { ...asked, from, to, fix: flags.fix, ...(flags.expect === undefined ? {} : { expect: flags.expect }) },
  };
};

const ends = ({ from, to }: TypedEnds, described: string | undefined): { readonly from: string; readonly to: string } => {
  if (described !== undefined && from !== undefined && to === undefined) return { from: described, to: from };
  if (described === undefined && from !== undefined && to !== undefined) return { from, to };
  throw usageError(
    'EndsMismatch',
    described === undefined ? 'FROM and TO are needed' : '--as stands for FROM: beside it only TO is named',
    [
      'poimen netcheck deploy/CLIENT.NAMESPACE svc/NAME.NAMESPACE --port 80',
      'poimen netcheck --as app=x,ns=NAMESPACE svc/NAME.NAMESPACE --port 80',
    ],
  );
};

const isDescription = (as: string | undefined): as is string => as?.includes('=') === true;
