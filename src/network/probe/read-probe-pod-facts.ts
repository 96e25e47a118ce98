import { isApiError } from '../../cluster/api-error.ts';
import type { Cluster, ReadOptions } from '../../cluster/cluster.ts';
import { unansweredWords } from '../../cluster/unanswered.ts';
import { formatLabelSelector, type LabelSelector } from '../../kubernetes/label-selector.ts';
import type { Node } from '../../kubernetes/node.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Pod } from '../../kubernetes/pod.ts';
import type { PodDisruptionBudget } from '../../kubernetes/pod-disruption-budget.ts';
import type { ObjectReference, Selection } from '../../kubernetes/reference.ts';
import { resources } from '../../kubernetes/resource.ts';
import type { Service } from '../../kubernetes/service.ts';
import { policyInputOf } from '../policy/policy-input.ts';
import { clusterPolicyResources } from '../policy/policy-resources.ts';
import type { Adopter, Autoscaler, ProbePodFacts, Readable } from './probe-pod-facts.ts';
import { probeLabel } from './probe-pod-marks.ts';

/** Those that adopt by labels alone. A StatefulSet goes by names, a Deployment never claims pods. */
const adoptingKinds = [resources.replicaSets, resources.replicationControllers, resources.daemonSets, resources.jobs];

const policyGroup = 'policy.networking.k8s.io';

/**
 * Reads what decides over a probe pod for a client. What this user may not read, or the server has no answer to, is left open.
 *
 * @throws ApiError, ConnectionError as a reading of the client itself and of its pods does, and when the server is not there.
 */
export const readProbePodFacts = async (cluster: Cluster, client: ObjectReference, signal?: AbortSignal): Promise<ProbePodFacts> => {
  const reader = new Reader(cluster, signal === undefined ? {} : { signal });
  const object = await cluster.get(client, reader.options);
  const within = client.namespace === undefined ? {} : { namespace: client.namespace };
  const [pods, services, adopters, disruptionBudgets, autoscalers, policies, namespaces] = await Promise.all([
    reader.podsOf(client, object),
    reader.list<Service>({ resource: resources.services, ...within }),
    client.resource.kind === 'Deployment' ? [] : reader.adopters(client.namespace), // its probe pod has a controller: see ownershipOf
    reader.list<PodDisruptionBudget>({ resource: resources.podDisruptionBudgets, ...within }),
    reader.list<Autoscaler>({ resource: resources.horizontalPodAutoscalers, ...within }),
    reader.policies(),
    reader.list<KubernetesObject>({ resource: resources.namespaces }),
  ]);
  const nodes = await reader.nodesOf(pods);
  return { client, object, pods, services, adopters, disruptionBudgets, autoscalers, policies, namespaces, nodes };
};

class Reader {
  readonly options: ReadOptions;
  private readonly cluster: Cluster;

  constructor(cluster: Cluster, options: ReadOptions) {
    this.cluster = cluster;
    this.options = options;
  }

  /** None of what this cluster does not serve; `undefined` for what could not be read. */
  async list<T extends KubernetesObject>(selection: Selection): Promise<Readable<T>> {
    try {
      const { items } = await this.cluster.list(selection, this.options);
      return items as readonly T[]; // served objects are unknown JSON: a reader names the fields it reads
    } catch (error) {
      if (isApiError(error, 404)) return [];
      return await this.leftOpen(error);
    }
  }

  private async leftOpen(error: unknown): Promise<undefined> {
    if (isApiError(error, 403) || (await unansweredWords(this.cluster, error, this.options.signal)) !== undefined) return undefined;
    throw error;
  }

  async podsOf(client: ObjectReference, object: KubernetesObject | undefined): Promise<readonly Pod[]> {
    if (object === undefined) return [];
    if (client.resource.kind === 'Pod') return [object as Pod];
    const selector = selectorOf(object);
    if (selector === undefined) return [];
    const { items } = await this.cluster.list(
      {
        resource: resources.pods,
        ...(client.namespace === undefined ? {} : { namespace: client.namespace }),
        labelSelector: formatLabelSelector(selector),
      },
      this.options,
    );
    return (items as readonly Pod[]).filter(({ metadata }) => metadata.labels?.[probeLabel] === undefined);
  }

  async adopters(namespace: string | undefined): Promise<Readable<Adopter>> {
    const lists = await Promise.all(
      adoptingKinds.map(async (resource) => {
        const items = await this.list<KubernetesObject>({ resource, ...(namespace === undefined ? {} : { namespace }) });
        return items?.flatMap((item): readonly Adopter[] => {
          const selector = selectorOf(item);
          return selector === undefined
            ? []
            : [{ reference: { resource, name: item.metadata.name, ...(namespace === undefined ? {} : { namespace }) }, selector }];
        });
      }),
    );
    return whole(lists);
  }

  async policies(): Promise<ProbePodFacts['policies']> {
    const served = await this.cluster.discover(policyGroup, this.options).catch((error: unknown) => this.leftOpen(error));
    if (served === undefined) return undefined;
    const kinds = clusterPolicyResources.filter((known) =>
      served.some(({ version, plural }) => version === known.version && plural === known.plural),
    );
    const lists = await Promise.all([resources.networkPolicies, ...kinds].map((resource) => this.list<KubernetesObject>({ resource })));
    return whole(lists)?.flatMap((object) => policyInputOf(object) ?? []);
  }

  async nodesOf(pods: readonly Pod[]): Promise<Readable<Node>> {
    const names = new Set(pods.flatMap(({ spec }) => spec.nodeName ?? []));
    try {
      const nodes = await Promise.all([...names].map((name) => this.cluster.get({ resource: resources.nodes, name }, this.options)));
      return nodes.filter((node) => node !== undefined) as readonly Node[];
    } catch (error) {
      return await this.leftOpen(error);
    }
  }
}

const whole = <T>(lists: readonly Readable<T>[]): Readable<T> =>
  lists.some((list) => list === undefined) ? undefined : lists.flatMap((list) => list ?? []);

/** A ReplicationController's is a plain map. */
const selectorOf = (object: KubernetesObject): LabelSelector | undefined => {
  const { selector } = (object['spec'] ?? {}) as { readonly selector?: LabelSelector & Readonly<Record<string, string>> };
  if (selector === undefined) return undefined;
  return object.kind === 'ReplicationController' ? { matchLabels: selector } : selector;
};
