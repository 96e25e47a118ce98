import { delay } from '../clock/clock.ts';
import type { ProbeAnswer, ProbeQuestion, Prober } from '../cluster/prober.ts';
import { endpointsOf, routableEndpoints, serviceNameLabel, type Endpoint, type EndpointSlice } from '../kubernetes/endpoint-slice.ts';
import { matchesSelector, type LabelSelector } from '../kubernetes/label-selector.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { isTerminal, isTerminating, podAddresses, type Pod } from '../kubernetes/pod.ts';
import { fullName, type ObjectReference } from '../kubernetes/reference.ts';
import { resources } from '../kubernetes/resource.ts';
import { isHeadless, servicePort, type Service } from '../kubernetes/service.ts';
import { createPolicyEngine } from '../network/policy/create-policy-engine.ts';
import type { PolicyEngine } from '../network/policy/engine.ts';
import { peerOfPod } from '../network/policy/peer.ts';
import { policyInputOf } from '../network/policy/policy-input.ts';
import { clusterPolicyResources } from '../network/policy/policy-resources.ts';
import type { Store } from './api/store.ts';
import { answerOf, isListening } from './pod-answers.ts';

/** Virtual milliseconds until a connection is made or refused. */
const latencyMs = 3;

const policyKinds = [resources.networkPolicies, ...clusterPolicyResources];

/** Where a connection ends up: at an address, or nowhere, with the answer that a client then gets. */
type Route =
  | { readonly kind: 'address'; readonly address: string; readonly port: number }
  | { readonly kind: 'none'; readonly answer: ProbeAnswer };

/**
 * Answers from the twin's own state: Services are resolved to endpoints as kube-proxy does it, NetworkPolicies decide on pod address and
 * target port, and a pod answers what its annotation `twin.poimen.dev/answers` says. Which endpoint is taken goes round, in their
 * order.
 */
export const createTwinProber = (store: Store): Prober => new TwinProber(store);

class TwinProber implements Prober {
  private readonly store: Store;
  private readonly turns = new Map<string, number>();
  /** Made when it is asked, and anew after anything has changed that it knows. */
  private engine: PolicyEngine | undefined;

  constructor(store: Store) {
    this.store = store;
    for (const resource of [...policyKinds, resources.namespaces, resources.nodes]) {
      store.subscribe(resource, () => {
        this.engine = undefined;
      });
    }
  }

  async ask(question: ProbeQuestion, signal?: AbortSignal): Promise<ProbeAnswer> {
    const { clock } = this.store;
    await delay(clock, latencyMs, signal);
    const answer = this.decide(question);
    if (answer.kind === 'timeout') await delay(clock, Math.max(0, question.timeoutMs - latencyMs), signal);
    return answer;
  }

  private decide({ client, target, path, timeoutMs }: ProbeQuestion): ProbeAnswer {
    const silence: ProbeAnswer = { kind: 'timeout', detail: `no answer within ${timeoutMs} ms` };
    const from = this.clientPod(client);
    if (from === undefined) return { kind: 'unasked', detail: `no pod of ${fullName(client)} runs` };
    const route: Route =
      target.kind === 'pod' ? { kind: 'address', address: target.ip, port: target.port } : this.route(from, target, silence);
    if (route.kind === 'none') return route.answer;

    const { address, port } = route;
    const server = this.podAt(address);
    if (server === undefined || !this.isAllowed(from, server, port)) return silence;
    if (!isListening(server, port, this.store.clock.now())) return { kind: 'refused', detail: `connection refused by ${address}:${port}` };
    const reply = path === undefined ? {} : answerOf(server, path);
    return { kind: 'answered', ...reply, ...(server.metadata.uid === undefined ? {} : { podUid: server.metadata.uid }), latencyMs };
  }

  /** What a client that dials the Service's name gets to. */
  private route(from: Pod, { namespace, name, port }: Extract<ProbeQuestion['target'], { kind: 'service' }>, silence: ProbeAnswer): Route {
    const nowhere = (answer: ProbeAnswer): Route => ({ kind: 'none', answer });
    const unresolved = (detail: string): Route => nowhere({ kind: 'unresolved', detail });
    const service = this.store.get<Service>({ resource: resources.services, namespace, name });
    if (service === undefined) return unresolved(`${name}.${namespace}.svc: no such host`);
    if (service.spec.type === 'ExternalName')
      return unresolved(`${name}.${namespace}.svc is an ExternalName, which the twin does not follow`);

    const slices = this.store.list<EndpointSlice>({
      resource: resources.endpointSlices,
      namespace,
      labelSelector: `${serviceNameLabel}=${name}`,
    });
    const endpoints = endpointsOf(slices);
    if (isHeadless(service)) {
      const chosen = this.takeTurn(`${namespace}/${name}`, endpoints.ready);
      return chosen === undefined
        ? unresolved(`${name}.${namespace}.svc has no addresses`)
        : { kind: 'address', address: chosen.address, port };
    }
    const declared = servicePort(service, port);
    if (declared === undefined) return nowhere(silence); // iptables has no rule for it, and nothing has the address
    const routable = routableEndpoints(endpoints);
    if (routable.length === 0) return nowhere({ kind: 'refused', detail: `${name}.${namespace}.svc has no ready endpoints` });
    const local =
      service.spec.internalTrafficPolicy === 'Local' ? routable.filter(({ nodeName }) => nodeName === from.spec.nodeName) : routable;
    const chosen = this.takeTurn(`${namespace}/${name}`, local);
    const targetPort = chosen?.ports.find((candidate) => (candidate.name ?? '') === (declared.name ?? ''))?.port;
    return chosen === undefined || targetPort === undefined
      ? nowhere(silence)
      : { kind: 'address', address: chosen.address, port: targetPort };
  }

  private takeTurn(service: string, endpoints: readonly Endpoint[]): Endpoint | undefined {
    const turn = this.turns.get(service) ?? 0;
    this.turns.set(service, turn + 1);
    return endpoints[turn % endpoints.length];
  }

  /** The first, by name, of the pods that run. */
  private clientPod(client: ObjectReference): Pod | undefined {
    return this.podsOf(client).find((pod) => pod.status?.phase === 'Running' && !isTerminating(pod));
  }

  private podsOf(client: ObjectReference): readonly Pod[] {
    const { resource, namespace } = client;
    const workload = this.store.get<KubernetesObject & { readonly spec?: { readonly selector?: LabelSelector } }>(client);
    if (workload === undefined) return [];
    if (resource.kind === 'Pod') return [workload as Pod];
    const all = this.store.list<Pod>({ resource: resources.pods, ...(namespace === undefined ? {} : { namespace }) });
    return all.filter(({ metadata }) => matchesSelector(workload.spec?.selector, metadata.labels));
  }

  private podAt(address: string): Pod | undefined {
    const at = this.store.list<Pod>({ resource: resources.pods }).filter((pod) => !isTerminal(pod) && podAddresses(pod).includes(address));
    return at.find(({ spec }) => spec.hostNetwork !== true) ?? at[0];
  }

  /** What depends on the cluster's network plugin is let through. */
  private isAllowed(from: Pod, to: Pod, port: number): boolean {
    this.engine ??= createPolicyEngine({
      policies: policyKinds.flatMap((resource) => this.store.list({ resource })).flatMap((object) => policyInputOf(object) ?? []),
      namespaces: this.store.list({ resource: resources.namespaces }),
      nodes: this.store.list({ resource: resources.nodes }),
      peers: [],
    });
    const verdict = this.engine.path({ client: peerOfPod(from), server: peerOfPod(to), port, protocol: 'TCP' });
    return verdict.verdict !== 'denied';
  }
}
