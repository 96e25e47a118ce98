import { parseAddressRange } from '../policy/address-set.ts';
import { backendsOf, type Backend } from '../inventory/backends.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { serviceName, type ServiceEntry } from '../inventory/service-entry.ts';
import type { Verdict } from '../policy/engine.ts';
import type { Note } from './answer.ts';
import type { End, Member } from './end.ts';
import { memberOf } from './find-end.ts';
import type { DialledPort } from './service-port.ts';

/** One pair of ends, after the Service's translation. */
export interface Connection extends DialledPort {
  readonly client: Member;
  readonly server: Member;
  /** What the Service itself decides, where it does. */
  readonly translation?: { readonly verdict: Verdict; readonly reason: string };
  /** Policies may see a node's address in place of the client's. */
  readonly rewritten: boolean;
}

export interface Connections {
  readonly pairs: readonly Connection[];
  readonly notes: readonly Note[];
}

/** Every pair that a new connection may be between. `port` is the dialled one. */
export const connectionsOf = (clients: readonly Member[], to: End, dialled: DialledPort, inventory: Inventory): Connections =>
  to.kind === 'service' ? throughService(clients, to.entry, dialled, inventory) : direct(clients, to.members, dialled);

const direct = (clients: readonly Member[], servers: readonly Member[], dialled: DialledPort): Connections => {
  const pairs = clients.flatMap((client) =>
    servers.map((server): Connection => ({ ...dialled, client, server: otherPod(client, server), rewritten: false })),
  );
  const between = pairs.filter(({ client, server }) => client.peer !== server.peer);
  return { pairs: between.length > 0 ? between : pairs, notes: [] };
};

/** A template stands for any number of pods: two of them are meant where it would meet itself. */
const otherPod = (client: Member, server: Member): Member =>
  client.peer === server.peer && server.templateOnly && server.peer.kind === 'pod'
    ? { ...server, peer: { ...server.peer, name: `${server.peer.name} (another pod)` } }
    : server;

const throughService = (clients: readonly Member[], entry: ServiceEntry, dialled: DialledPort, inventory: Inventory): Connections => {
  const { service } = entry;
  if (service.spec.type === 'ExternalName') return throughExternalName(clients, entry, dialled, inventory);
  const backends = backendsOf(entry, dialled.port, dialled.protocol, inventory.peers);
  const used = routable(backends.filter(({ port }) => port !== undefined));
  const pairs = clients.flatMap((client) => {
    const reached = reachedBy(client, used, entry);
    return reached.backends.flatMap((backend): readonly Connection[] => {
      if (backend.port === undefined) return [];
      const { protocol } = dialled;
      const server = otherPod(client, serverOf(backend));
      return [{ port: backend.port, protocol, client, server, ...entranceFor(client, entry, dialled, inventory), ...reached.translation }];
    });
  });
  return {
    pairs,
    notes: [...portlessNotes(backends, entry, dialled), ...readinessNotes(used, backends, entry), ...headlessNotes(entry, dialled)],
  };
};

/** Source: Kubernetes, "Virtual IPs and Service Proxies", "Traffic to terminating endpoints". */
const routable = (backends: readonly Backend[]): readonly Backend[] => {
  const inState = (...states: readonly Backend['state'][]): readonly Backend[] => backends.filter(({ state }) => states.includes(state));
  return [inState('ready'), inState('terminating'), inState('notReady'), inState('hypothetical')].find((found) => found.length > 0) ?? [];
};

const serverOf = ({ peer, owner, templateOnly }: Backend): Member => {
  const pod = owner?.pods.find((candidate) => candidate.peer === peer);
  if (owner !== undefined && pod !== undefined) return memberOf(owner, pod);
  return { peer, of: peer.kind === 'pod' ? `${peer.namespace}/${peer.name}[Pod]` : peer.address, templateOnly };
};

interface Reached {
  readonly backends: readonly Backend[];
  readonly translation: Pick<Connection, 'translation'>;
}

/** `internalTrafficPolicy: Local` keeps a connection on the client's node, and drops it where no endpoint is. */
const reachedBy = ({ peer, of }: Member, backends: readonly Backend[], entry: ServiceEntry): Reached => {
  if (entry.service.spec.internalTrafficPolicy !== 'Local' || peer.kind === 'address') return { backends, translation: {} };
  const { nodeName } = peer;
  if (nodeName === undefined || backends.some((backend) => backend.nodeName === undefined)) {
    return {
      backends,
      translation: {
        translation: { verdict: 'depends', reason: `depends on the nodes of ${of} and of the endpoints: internalTrafficPolicy is Local` },
      },
    };
  }
  const local = backends.filter((backend) => backend.nodeName === nodeName);
  if (local.length > 0) return { backends: local, translation: {} };
  const reason = `internalTrafficPolicy is Local and there is no endpoint on ${nodeName}, where the client runs: packets are dropped`;
  return { backends, translation: { translation: { verdict: 'denied', reason } } };
};

/** From outside the cluster a Service is reached through what it opens: a load balancer, ports of the nodes, external addresses. */
const entranceFor = (
  { peer }: Member,
  entry: ServiceEntry,
  { port }: DialledPort,
  { entrances }: Inventory,
): Pick<Connection, 'translation' | 'rewritten'> => {
  if (peer.kind === 'pod') return { rewritten: false };
  const own = entrances.filter(
    (entrance) => entrance.to === serviceName(entry) && entrance.port === port && entrance.seenAs !== "the controller's pods",
  );
  if (own.length === 0) {
    const others = entrances.filter((entrance) => entrance.to === serviceName(entry));
    const ways =
      others.length === 0
        ? ''
        : `; it is led to by ${[...new Set(others.map(({ object }) => object))].join(', ')}, whose controller's pods are the client then`;
    return {
      rewritten: false,
      translation: {
        verdict: 'depends',
        reason: `depends on the network outside: ${serviceName(entry)} opens nothing to it (${entry.service.spec.type ?? 'ClusterIP'})${ways}`,
      },
    };
  }
  const rewritten = own.some(({ seenAs }) => seenAs !== 'the client');
  const ranges = own.map((entrance) => entrance.ranges);
  if (!ranges.every((allowed) => allowed !== undefined && !allowed.some((range) => overlaps(range, peer.address)))) {
    return { rewritten };
  }
  const reason = `its load balancer lets in ${[...new Set(ranges.flatMap((allowed) => allowed ?? []))].join(', ')} only (loadBalancerSourceRanges)`;
  return { rewritten, translation: { verdict: 'denied', reason } };
};

const overlaps = (range: string, address: string): boolean => {
  const [a, b] = [parseAddressRange(range), parseAddressRange(address)];
  return a === undefined || b === undefined || (a[0] <= b[1] && b[0] <= a[1]);
};

/** Sources: Kubernetes, "Service", "Type: ExternalName": a name in DNS and nothing else. */
const throughExternalName = (clients: readonly Member[], entry: ServiceEntry, dialled: DialledPort, inventory: Inventory): Connections => {
  const host = entry.service.spec.externalName ?? '';
  const [, name, namespace] = /^([^.]+)\.([^.]+)\.svc(?:\..+)?$/.exec(host) ?? [];
  const alias = inventory.services.find((candidate) => candidate.service.metadata.name === name && candidate.namespace === namespace);
  if (alias !== undefined && alias !== entry && alias.service.spec.type !== 'ExternalName') {
    const note = information(
      'ExternalName',
      `${serviceName(entry)} is another name for ${serviceName(alias)}, whose port ${dialled.port} is dialled`,
    );
    const { pairs, notes } = throughService(clients, alias, dialled, inventory);
    return { pairs, notes: [note, ...notes] };
  }
  const anywhere = ['0.0.0.0/0', '::/0'].map((address): Member => ({
    peer: { kind: 'address', address },
    of: address,
    templateOnly: false,
  }));
  return {
    ...direct(clients, anywhere, dialled),
    notes: [
      information(
        'ExternalName',
        `${serviceName(entry)} stands for ${host}: policies see its addresses, and which ones those are is not known here`,
      ),
    ],
  };
};

const portlessNotes = (backends: readonly Backend[], entry: ServiceEntry, dialled: DialledPort): readonly Note[] => {
  const portless = backends
    .filter(({ port }) => port === undefined)
    .map(({ peer, owner }) => owner?.id ?? (peer.kind === 'pod' ? peer.name : peer.address));
  if (portless.length === 0) return [];
  const wanted = entry.service.spec.ports?.find(({ port }) => port === dialled.port)?.targetPort ?? dialled.port;
  return [
    caution(
      'NoSuchPort',
      `${[...new Set(portless)].join(', ')} has no ${dialled.protocol} port named ${wanted}: it gets no connections of ${serviceName(entry)}`,
    ),
  ];
};

const readinessNotes = (used: readonly Backend[], backends: readonly Backend[], entry: ServiceEntry): readonly Note[] => {
  const name = serviceName(entry);
  switch (used[0]?.state) {
    case undefined:
      return backends.length > 0 ? [] : [caution('NobodyBehind', `nobody is behind ${name}: ${whyNobody(entry)}`)];
    case 'terminating':
      return [caution('OnlyTerminating', `only terminating pods are behind ${name}: they get new connections until they are gone`)];
    case 'notReady':
      return [caution('NotReady', `no pod behind ${name} is ready: connections are refused until one is`)];
    case 'hypothetical':
      return entry.slices.length === 0
        ? []
        : [caution('NobodyBehind', `nobody is behind ${name} now: judged by the pods that its selector is meant for`)];
    case 'ready': {
      const others = backends.length - used.length;
      return others === 0
        ? []
        : [information('NotReady', `${others} of ${backends.length} pods behind ${name} get no new connections now: they are left out`)];
    }
  }
};

const whyNobody = ({ service, slices }: ServiceEntry): string => {
  const labels = Object.entries(service.spec.selector ?? {}).map(([key, value]) => `${key}=${value}`);
  if (labels.length > 0) return `its selector ${labels.join(',')} matches no pod and no pod template`;
  return slices.length === 0 ? 'it has no selector and no EndpointSlice' : 'its EndpointSlices are empty';
};

const headlessNotes = ({ service }: ServiceEntry, { port }: DialledPort): readonly Note[] => {
  const declared = service.spec.ports?.find((candidate) => candidate.port === port);
  if (service.spec.clusterIP !== 'None' || declared === undefined) return [];
  const target = declared.targetPort ?? port;
  return target === port
    ? []
    : [
        caution(
          'Headless',
          `the Service is headless, nothing translates ${port} to ${target}: who dials ${port} arrives on the pod's ${port}`,
        ),
      ];
};

export const caution = (code: string, text: string): Note => ({ code, severity: 'caution', text });
export const information = (code: string, text: string): Note => ({ code, severity: 'information', text });
