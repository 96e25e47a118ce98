import { nearestName } from '../../errors/nearest-name.ts';
import { PoimenError } from '../../errors/poimen-error.ts';
import { stringIn } from './json.ts';
import type { Kubeconfig, KubeconfigEntry } from './kubeconfig.ts';

export interface ContextFlags {
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
}

export interface ChosenContext {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly clusterName: string;
  readonly cluster: KubeconfigEntry;
  readonly userName: string;
  readonly user: KubeconfigEntry;
}

/**
 * The context that the flags or the kubeconfig itself name, with `--cluster` and `--user` in place of its own.
 *
 * @throws PoimenError for a context that is not there, and for one without a cluster or user.
 */
export const chooseContext = (kubeconfig: Kubeconfig, flags: ContextFlags): ChosenContext => {
  const name = flags.context ?? kubeconfig.currentContext;
  if (name === undefined) throw noCurrentContext(kubeconfig);
  const context = kubeconfig.contexts.get(name);
  if (context === undefined) throw contextNotFound(name, kubeconfig, flags.context === undefined);
  const pick = (what: 'cluster' | 'user', flag: string | undefined, entries: ReadonlyMap<string, KubeconfigEntry>) => {
    const named = flag ?? stringIn(context.fields, what);
    if (named === undefined || named === '')
      throw incomplete(`context "${name}" names no ${what}`, `kubectl config set-context ${name} --${what}=NAME`);
    const entry = entries.get(named);
    if (entry !== undefined) return [named, entry] as const;
    const summary =
      flag === undefined
        ? `context "${name}" names the ${what} "${named}", which the kubeconfig does not define`
        : `the kubeconfig defines no ${what} "${named}"`;
    throw incomplete(
      summary,
      entries.size === 0
        ? `kubectl config set-${what === 'user' ? 'credentials' : what} ${named}`
        : `it defines: ${[...entries.keys()].join(', ')}`,
    );
  };
  const [clusterName, cluster] = pick('cluster', flags.cluster, kubeconfig.clusters);
  const [userName, user] = pick('user', flags.user, kubeconfig.users);
  return { name, namespace: stringIn(context.fields, 'namespace') || undefined, clusterName, cluster, userName, user };
};

const incomplete = (summary: string, nextStep: string): PoimenError =>
  new PoimenError({ outcome: 'usage', code: 'ContextIncomplete', summary, nextSteps: [nextStep] });

const contextNotFound = (name: string, kubeconfig: Kubeconfig, isCurrent: boolean): PoimenError => {
  const names = [...kubeconfig.contexts.keys()];
  const nearest = nearestName(name, names);
  return new PoimenError({
    outcome: 'usage',
    code: 'ContextNotFound',
    summary: isCurrent ? `the current context "${name}" is not in the kubeconfig` : `there is no context "${name}" in the kubeconfig`,
    detail: contextsWords(names),
    nextSteps: [nearest === undefined ? 'choose one: --context NAME' : `did you mean: --context ${nearest}`],
  });
};

const noCurrentContext = (kubeconfig: Kubeconfig): PoimenError =>
  new PoimenError({
    outcome: 'usage',
    code: 'NoCurrentContext',
    summary: 'the kubeconfig has no current context',
    detail: contextsWords([...kubeconfig.contexts.keys()]),
    nextSteps: ['choose one: --context NAME, or kubectl config use-context NAME'],
  });

const contextsWords = (names: readonly string[]): string =>
  names.length === 0 ? 'it has no contexts at all' : `it has: ${names.join(', ')}`;
