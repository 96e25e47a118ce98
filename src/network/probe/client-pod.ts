import type { Cluster } from '../../cluster/cluster.ts';
import { formatLabelSelector, type LabelSelector } from '../../kubernetes/label-selector.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { isPodReady, isTerminating, type Pod } from '../../kubernetes/pod.ts';
import { shortName, type ObjectReference } from '../../kubernetes/reference.ts';
import { resources } from '../../kubernetes/resource.ts';
import type { FindVantage, NoVantage, Vantage } from './vantage.ts';

type Selecting = KubernetesObject & { readonly spec?: { readonly selector?: LabelSelector } };

/** Asks from the client's own pods. */
export const findClientPod =
  (cluster: Cluster): FindVantage =>
  async (client, signal) => {
    const options = signal === undefined ? {} : { signal };
    const object = await cluster.get(client, options);
    if (object === undefined) return { kind: 'none', reason: `${shortName(client)} does not exist` };
    if (client.resource.kind === 'Pod') return chooseVantage(client, [object as Pod]);
    const { selector } = (object as Selecting).spec ?? {};
    if (selector === undefined) return { kind: 'none', reason: `${shortName(client)} selects no pods` };
    const { namespace } = client;
    const labelSelector = formatLabelSelector(selector);
    const selection = { resource: resources.pods, labelSelector, ...(namespace === undefined ? {} : { namespace }) };
    const { items } = await cluster.list(selection, options);
    return chooseVantage(client, items as readonly Pod[]);
  };

/** The first, by name, of those that run, are ready and are not on their way out. */
export const chooseVantage = (client: ObjectReference, pods: readonly Pod[]): Vantage | NoVantage => {
  const byName = pods.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const chosen = byName.find((pod) => pod.status?.phase === 'Running' && isPodReady(pod) && !isTerminating(pod));
  if (chosen === undefined) {
    const states = byName.map((pod) => `${pod.metadata.name}: ${stateOf(pod)}`).join(', ');
    return { kind: 'none', reason: `${shortName(client)} has no pod that is ready${states === '' ? '' : ` (${states})`}` };
  }
  const { name: pod, namespace = '', uid: podUid = '' } = chosen.metadata;
  return { namespace, pod, podUid, container: containerOf(chosen) };
};

const stateOf = (pod: Pod): string => {
  if (isTerminating(pod)) return 'Terminating';
  const phase = pod.status?.phase ?? 'Pending';
  return phase === 'Running' ? 'not ready' : phase;
};

/** Source: Kubernetes, "Well-Known Labels, Annotations and Taints", kubectl.kubernetes.io/default-container; kubectl exec. */
const containerOf = ({ metadata, spec }: Pod): string => {
  const wanted = metadata.annotations?.['kubectl.kubernetes.io/default-container'];
  const names = spec.containers.map(({ name }) => name);
  return wanted !== undefined && names.includes(wanted) ? wanted : (names[0] ?? '');
};
