import { isJsonArray, isJsonObject } from '../../kubernetes/json.ts';
import { parseCidr, type AddressRange } from '../policy/address-set.ts';
import { looseLabelSelector as selector } from './selector.ts';
import { anything, exactlyOneOf, fields, integer, listOf, oneOf, portNumber, refuse, text, type Check, type Fields } from './shape.ts';

const namespacedPods = fields({ required: { podSelector: selector }, optional: { namespaceSelector: selector } });
const subject = exactlyOneOf({ namespaces: selector, pods: namespacedPods });
const ingressPeer = subject;

/** The older kinds want both selectors. */
const adminPods = fields({ required: { podSelector: selector, namespaceSelector: selector } });
const adminSubject = exactlyOneOf({ namespaces: selector, pods: adminPods });

/** Of ClusterNetworkPolicy, a range that begins at its network address (`10.0.0.0/8`, not `10.1.2.3/8`). */
const network =
  (masked: boolean): Check =>
  (value, path, flaws) => {
    const range = typeof value === 'string' ? parseCidr(value) : undefined;
    const host = typeof value === 'string' ? parseCidr(value.replace(/\/\d+$/, value.includes(':') ? '/128' : '/32')) : undefined;
    if (range === undefined)
      refuse(flaws, path, `${JSON.stringify(value)} is not a range of addresses`, 'write ADDRESS/BITS: 203.0.113.0/24');
    else if (isMapped(range)) refuse(flaws, path, `${String(value)} is IPv4 in the notation of IPv6`, 'write it as IPv4: 203.0.113.0/24');
    else if (masked && host?.[0] !== range[0])
      refuse(flaws, path, `${String(value)} begins inside of its range`, 'write the first address of the range');
  };

/** Source: k8s.io/apiserver, CEL library `isCIDR`, which takes no IPv4-mapped IPv6 addresses. */
const isMapped = (range: AddressRange): boolean => {
  const mapped = parseCidr('::ffff:0:0/96');
  return mapped !== undefined && range[0] >= mapped[0] && range[1] <= mapped[1];
};

const domainName: Check = (value, path, flaws) => {
  if (typeof value !== 'string' || !/^(\*\.)?([a-z0-9]([-a-z0-9_]*[a-z0-9])?\.)+[a-z0-9]([-a-z0-9_]*[a-z0-9])?\.?$/i.test(value))
    refuse(flaws, path, `${JSON.stringify(value)} is not a domain name`, 'example.org, or *.example.org for what is below it');
};

/** Both lists are sets. */
const set = { least: 1, most: 25, distinct: true } as const;

const egressPeer = (pods: Check, masked: boolean, withDomainNames: boolean): Check =>
  exactlyOneOf({
    namespaces: selector,
    pods,
    nodes: selector,
    networks: listOf(network(masked), set),
    ...(withDomainNames ? { domainNames: listOf(domainName, set) } : {}),
  });

const range = (isInOrder: (start: number, end: number) => boolean, more: Fields['optional'] = {}): Check =>
  fields({ required: { start: portNumber, end: portNumber }, optional: more }, ({ start, end }, path, flaws) => {
    if (!isInOrder(Number(start), Number(end)))
      refuse(flaws, path, `a range from ${String(start)} to ${String(end)}`, 'start is below end; for one port give its number');
  });

const destination = exactlyOneOf({ number: portNumber, range: range((start, end) => start < end) });
const transport = exactlyOneOf({ destinationPort: destination });
const protocol = exactlyOneOf({ tcp: transport, udp: transport, sctp: transport, destinationNamedPort: text });

/** Any text is taken as a protocol, TCP where there is none; and a range may begin behind its end. */
const adminPort = exactlyOneOf({
  portNumber: fields({ required: { port: portNumber }, optional: { protocol: text } }),
  namedPort: text,
  portRange: range(() => true, { protocol: text }),
});

interface RuleShape {
  readonly actions: readonly string[];
  readonly portsField: 'protocols' | 'ports';
  readonly namedPort: string;
  readonly port: Check;
  readonly mostRules: number;
  readonly peer: Check;
}

const rules = (peers: 'from' | 'to', { actions, portsField, namedPort, port, mostRules, peer }: RuleShape): Check =>
  listOf(
    fields(
      {
        required: { action: oneOf(...actions), [peers]: listOf(peer, { least: 1, most: mostRules }) },
        optional: { name: shortName, [portsField]: listOf(port, { least: 1, most: mostRules }) },
      },
      ({ [peers]: ends, [portsField]: ports }, path, flaws) => {
        const outside = listed(ends).some((end) => ['networks', 'nodes', 'domainNames'].some((field) => isJsonObject(end) && field in end));
        const named = listed(ports).some((entry) => isJsonObject(entry) && namedPort in entry);
        if (peers === 'to' && outside && named)
          refuse(flaws, path, `a named port towards networks, nodes or domainNames`, 'names are those of pods: give the number');
      },
    ),
    { most: mostRules },
  );

const listed = (value: unknown): readonly unknown[] => (isJsonArray(value) ? value : []);

const shortName: Check = (value, path, flaws) => {
  if (typeof value !== 'string' || value.length > 100)
    refuse(flaws, path, 'the name of a rule is a text of at most 100 characters', 'shorten it');
};

const policy = (spec: Check): Check =>
  fields({ required: { apiVersion: anything, kind: anything, metadata: anything, spec }, optional: { status: anything } });

const cluster = {
  actions: ['Accept', 'Deny', 'Pass'],
  portsField: 'protocols',
  namedPort: 'destinationNamedPort',
  port: protocol,
  mostRules: 25,
} as const;

/** Source: network-policy-api v0.3.0, the custom resource definition's schema and rules. */
export const clusterNetworkPolicy: Check = policy(
  fields({
    required: { tier: oneOf('Admin', 'Baseline'), priority: integer(0, 1000), subject },
    optional: {
      ingress: rules('from', { ...cluster, peer: ingressPeer }),
      egress: rules('to', { ...cluster, peer: egressPeer(namespacedPods, true, true) }),
    },
  }),
);

const admin = { portsField: 'ports', namedPort: 'namedPort', port: adminPort, mostRules: 100 } as const;

/** Source: network-policy-api v0.1.7. */
export const adminNetworkPolicy: Check = policy(
  fields({
    required: { priority: integer(0, 1000), subject: adminSubject },
    optional: {
      ingress: rules('from', { ...admin, actions: ['Allow', 'Deny', 'Pass'], peer: adminSubject }),
      egress: rules('to', { ...admin, actions: ['Allow', 'Deny', 'Pass'], peer: egressPeer(adminPods, false, true) }),
    },
  }),
);

/** Source: network-policy-api v0.1.7; there can be one, which is named default. */
export const baselineAdminNetworkPolicy: Check = policy(
  fields({
    required: { subject: adminSubject },
    optional: {
      ingress: rules('from', { ...admin, actions: ['Allow', 'Deny'], peer: adminSubject }),
      egress: rules('to', { ...admin, actions: ['Allow', 'Deny'], peer: egressPeer(adminPods, false, false) }),
    },
  }),
);
