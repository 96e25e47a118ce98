import type { Protocol } from '../kubernetes/pod.ts';
import type { NetcheckQuestion } from '../operations/answer-netcheck.ts';
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
  readonly matrix: boolean;
  readonly diff: boolean;
  readonly 'before-apply'?: string | undefined;
  readonly output?: string | undefined;
}

/** The arguments: FROM and TO, TO alone, OLD and NEW, or none, as the flags have it. */
export interface NetcheckArguments {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What is asked. Throws `PoimenError` for flags and arguments that do not go together. */
export const netcheckQuestion = (given: NetcheckArguments, flags: ParsedNetcheckFlags): NetcheckQuestion => {
  const question = questionOf(given, flags);
  refuseOthersFlags(question.kind, flags);
  return question;
};

const questionOf = (given: NetcheckArguments, flags: ParsedNetcheckFlags): NetcheckQuestion => {
  const { from, to } = given;
  const cni = flags.cni === undefined ? {} : { cni: flags.cni };
  const port = {
    ...(flags.port === undefined ? {} : { port: flags.port }),
    ...(flags.protocol === undefined ? {} : { protocol: flags.protocol }),
  };
  const file = flags['before-apply'];
  const only = flags['only-from'] ?? [];
  if (flags.diff) {
    if (from === undefined || to === undefined)
      throw mismatch('--diff compares two folders: OLD and NEW', 'poimen netcheck --diff OLD NEW');
    const namespace = flags.namespace === undefined ? {} : { namespace: flags.namespace };
    return { kind: 'diff', request: { before: from, after: to, ...namespace, ...cni } };
  }
  const source = networkSourceOf(flags);
  if (flags.matrix || file !== undefined) {
    if (from !== undefined) throw mismatch(`${flags.matrix ? '--matrix' : '--before-apply'} is about everybody: ${from} cannot stand here`);
    return file === undefined
      ? { kind: 'matrix', request: { source, ...port, ...cni } }
      : { kind: 'beforeApply', request: { source, file, ...cni } };
  }
  const described = isDescription(flags.as) ? `as:${flags.as}` : undefined;
  if (only.length > 0) {
    if (from !== undefined && to === undefined && described === undefined) {
      return { kind: 'onlyFrom', request: { source, only, to: from, ...port, ...cni } };
    }
    throw mismatch(
      'with --only-from one object is asked about: TO',
      'poimen netcheck --only-from deploy/CLIENT.NAMESPACE svc/NAME.NAMESPACE',
    );
  }
  const expect = flags.expect === undefined ? {} : { expect: flags.expect };
  return { kind: 'query', request: { source, ...endsOf(given, described), ...port, ...cni, ...expect, fix: flags.fix } };
};

/** Manifests, the twin, or a cluster. `--as` with labels is a client and no user. */
const networkSourceOf = (flags: ParsedNetcheckFlags): NetworkSource => {
  const user = isDescription(flags.as) ? undefined : flags.as;
  if (user !== undefined && (flags.filename !== undefined || flags.twin !== undefined))
    throw mismatch(`there is no user ${user} to act as without a cluster`, 'for a client that does not exist yet: --as app=x,ns=NAMESPACE');
  if (flags.filename === undefined) {
    const { as: _as, ...others } = flags;
    return { kind: 'cluster', flags: readClusterFlags(isDescription(flags.as) ? others : flags) };
  }
  return { kind: 'manifests', path: flags.filename, ...(flags.namespace === undefined ? {} : { namespace: flags.namespace }) };
};

const endsOf = ({ from, to }: NetcheckArguments, described: string | undefined): { readonly from: string; readonly to: string } => {
  if (described !== undefined && from !== undefined && to === undefined) return { from: described, to: from };
  if (described === undefined && from !== undefined && to !== undefined) return { from, to };
  throw mismatch(
    described === undefined ? 'FROM and TO are needed' : '--as stands for FROM: beside it only TO is named',
    'poimen netcheck deploy/CLIENT.NAMESPACE svc/NAME.NAMESPACE --port 80',
    'poimen netcheck --as app=x,ns=NAMESPACE svc/NAME.NAMESPACE --port 80',
  );
};

/** A flag that would be ignored is a mistake: whoever wrote it meant something by it. */
const refuseOthersFlags = (kind: NetcheckQuestion['kind'], flags: ParsedNetcheckFlags): void => {
  const { output } = flags;
  if (output !== undefined && !formats[kind].includes(output)) {
    throw mismatch(`-o ${output} does not fit here`, `-o ${formats[kind].join(', -o ')}`);
  }
  if (output === 'yaml' && !flags.fix) throw mismatch('-o yaml prints what --fix finds', 'add --fix');
  const extra = [
    ...(kind === 'query' ? [] : [flags.fix ? '--fix' : '', flags.expect === undefined ? '' : '--expect']),
    ...(kind === 'diff' || kind === 'beforeApply' ? [flags.port === undefined ? '' : '--port'] : []),
    ...(kind === 'diff' ? [flags.filename === undefined ? '' : '--filename', flags.twin === undefined ? '' : '--twin'] : []),
  ].filter((flag) => flag !== '');
  if (extra.length > 0) throw mismatch(`${extra.join(' and ')} cannot be used with --${flagOf[kind]}`, 'leave it out');
};

const formats: Readonly<Record<NetcheckQuestion['kind'], readonly string[]>> = {
  query: ['json', 'yaml', 'junit'],
  onlyFrom: ['json', 'junit'],
  matrix: ['json', 'dot', 'mermaid'],
  diff: ['json', 'markdown'],
  beforeApply: ['json', 'markdown'],
};

const flagOf: Readonly<Record<NetcheckQuestion['kind'], string>> = {
  query: 'expect',
  onlyFrom: 'only-from',
  matrix: 'matrix',
  diff: 'diff',
  beforeApply: 'before-apply',
};

const mismatch = (summary: string, ...nextSteps: readonly string[]): Error => usageError('ArgumentsMismatch', summary, nextSteps);

const isDescription = (as: string | undefined): boolean => as?.includes('=') === true;
