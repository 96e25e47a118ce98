import { boolean, option, string } from '@oclif/core/flags';
import { parseDuration } from '../kubernetes/duration.ts';
import type { ClusterFlags } from '../operations/open-cluster.ts';
import { usageError } from './usage-error.ts';

const clusterGroup = { helpGroup: 'CLUSTER' };

/** Which cluster: kubectl's flags by kubectl's names, or a twin. */
export const clusterFlags = {
  namespace: string({ ...clusterGroup, char: 'n', helpValue: 'NAME', summary: 'the namespace of objects that are named without one' }),
  context: string({ ...clusterGroup, helpValue: 'NAME', summary: 'the kubeconfig context to use' }),
  kubeconfig: string({
    ...clusterGroup,
    helpValue: 'FILE',
    summary: 'the kubeconfig file to use, instead of KUBECONFIG or ~/.kube/config',
  }),
  cluster: string({ ...clusterGroup, helpValue: 'NAME', summary: 'the kubeconfig cluster to use' }),
  user: string({ ...clusterGroup, helpValue: 'NAME', summary: 'the kubeconfig user to use' }),
  as: string({ ...clusterGroup, helpValue: 'USER', summary: 'act as this user (impersonation)' }),
  'as-group': string({
    ...clusterGroup,
    helpValue: 'GROUP',
    multiple: true,
    multipleNonGreedy: true,
    summary: 'act as a member of this group; may be given more than once',
  }),
  'request-timeout': string({ ...clusterGroup, helpValue: '30s', summary: 'how long one request may take; 0 for no limit' }),
  'insecure-skip-tls-verify': boolean({ ...clusterGroup, summary: "do not check the server's certificate" }),
  twin: string({
    ...clusterGroup,
    helpValue: 'FOLDER',
    exclusive: ['context', 'kubeconfig', 'cluster', 'user', 'as'],
    summary: 'run on the embedded twin of the manifests in this folder; no cluster is touched',
  }),
  fresh: boolean({ ...clusterGroup, dependsOn: ['twin'], summary: 'forget what the twin remembers and start from its manifests' }),
};

export interface ParsedClusterFlags {
  readonly context?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly namespace?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly as?: string | undefined;
  readonly 'as-group'?: readonly string[] | undefined;
  readonly 'request-timeout'?: string | undefined;
  readonly 'insecure-skip-tls-verify': boolean;
  readonly twin?: string | undefined;
  readonly fresh: boolean;
}

/** Absent flags stay absent. Throws `PoimenError` for a timeout that is none. */
export const readClusterFlags = (flags: ParsedClusterFlags): ClusterFlags => ({
  ...(flags.context === undefined ? {} : { context: flags.context }),
  ...(flags.kubeconfig === undefined ? {} : { kubeconfig: flags.kubeconfig }),
  ...(flags.namespace === undefined ? {} : { namespace: flags.namespace }),
  ...(flags.cluster === undefined ? {} : { cluster: flags.cluster }),
  ...(flags.user === undefined ? {} : { user: flags.user }),
  ...(flags.as === undefined ? {} : { as: flags.as }),
  ...(flags['as-group'] === undefined ? {} : { asGroups: flags['as-group'] }),
  ...(flags['request-timeout'] === undefined ? {} : { requestTimeoutMs: readTimeout(flags['request-timeout']) }),
  ...(flags.twin === undefined ? {} : { twin: flags.twin }),
  insecureSkipTlsVerify: flags['insecure-skip-tls-verify'],
  fresh: flags.fresh,
});

/** `30s`, `1m`, or a bare number of seconds, as kubectl takes it; `0` is no limit. (oclif's own parsers would wrap the error.) */
const readTimeout = (text: string): number => {
  const timeoutMs = /^\d+$/.test(text) ? Number(text) * 1000 : parseDuration(text);
  if (timeoutMs === undefined)
    throw usageError('InvalidDuration', `--request-timeout ${text} is not a duration`, ['write it like 30s, 5m or 1h30m']);
  return timeoutMs;
};

/** What a plan depends on besides the runbook and the cluster. */
export const planFlags = {
  set: string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'NAME=VALUE',
    summary: 'set an input of the runbook; may be given more than once',
  }),
  reverse: boolean({ summary: 'the way back: from and to change places' }),
  'no-probe': boolean({ summary: 'do not ask over the network; judge by readiness, EndpointSlices and policies' }),
  'probe-image': string({
    helpValue: 'IMAGE',
    exclusive: ['no-probe'],
    summary: 'ask from a pod of this image that stands in for the client while the run lasts; for clients without a tool to ask with',
  }),
};

export interface ParsedPlanFlags {
  readonly set?: readonly string[] | undefined;
  readonly reverse: boolean;
  readonly 'no-probe': boolean;
  readonly 'probe-image'?: string | undefined;
}

/** `['replicas=2']` as `{replicas: '2'}`. Throws `PoimenError` for what has no `=` and for a name that is set twice. */
export const readSettings = (settings: readonly string[] = []): Readonly<Record<string, string>> => {
  const values = new Map<string, string>();
  for (const setting of settings) {
    const equals = setting.indexOf('=');
    if (equals <= 0) throw usageError('InvalidSetting', `--set ${setting} does not say a name and a value`, ['write --set NAME=VALUE']);
    const name = setting.slice(0, equals);
    if (values.has(name)) throw usageError('SetTwice', `--set gives ${name} two values`, ['keep the one that is meant']);
    values.set(name, setting.slice(equals + 1));
  }
  return Object.fromEntries(values);
};

export const yesFlag = boolean({ char: 'y', summary: 'do not ask, run; a pipe needs it' });

/** `-o json` and the other formats that a command offers; absent: text for people. */
export const outputFlag = <const Formats extends readonly string[]>(...formats: Formats) =>
  option({ char: 'o', options: formats, helpValue: formats.join('|'), summary: 'a format for programs, instead of text for people' })();
