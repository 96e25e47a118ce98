import { describe, expect, it } from 'vitest';
import { custom, namespace, pod, policy, service, workload } from '../inventory/network-objects.ts';
import { ask, verdictOf } from './ask.ts';

const shop = namespace('shop');
const till = workload('shop/till');
const web = workload('shop/web');
const front = service('shop/front', { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] });
const base = [shop, till, web, front];

const web8080 = [{ protocol: 'TCP', port: 8080 }];
const shut = policy('shop/web', { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'] });
const opened = (ports: readonly object[] = web8080) =>
  policy('shop/web', {
    podSelector: { matchLabels: { app: 'web' } },
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ podSelector: { matchLabels: { app: 'till' } } }], ports }],
  });
const tillShut = policy('shop/till', { podSelector: { matchLabels: { app: 'till' } }, policyTypes: ['Egress'] });

describe('verdicts', () => {
  it.each([
    ['no policy: allowed', [], 'allowed'],
    ['ingress shut: denied', [shut], 'denied'],
    ['the pod port is what a rule is about', [opened()], 'allowed'],
    ['a rule for the Service port opens nothing', [opened([{ protocol: 'TCP', port: 80 }])], 'denied'],
    ['a rule for the port name of the pod opens it', [opened([{ protocol: 'TCP', port: 'http' }])], 'allowed'],
    ['egress shut: denied', [tillShut], 'denied'],
    ['one half open is not enough', [opened(), tillShut], 'denied'],
    [
      'a policy of another namespace says nothing',
      [policy('other/all', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] })],
      'allowed',
    ],
  ])('%s', (_what, policies, expected) => expect(verdictOf([...base, ...policies], 'deploy/till', 'svc/front')).toBe(expected));

  it('name the half, the policy, the rule and the place', () => {
    const { answer } = ask([...base, opened(), tillShut], 'deploy/till', 'svc/front');
    expect(answer.egress).toMatchObject({ verdict: 'denied', policy: 'shop/till' });
    expect(answer.ingress).toMatchObject({ verdict: 'allowed', policy: 'shop/web', rule: 0 });
    expect(answer.egress?.source).toMatch(/^net\.yaml:\d+$/);
    expect(answer.service).toMatchObject({ name: 'front', namespace: 'shop', type: 'ClusterIP', port: 80, targetPort: 'http' });
  });

  it('are mixed where some endpoints are shut', () => {
    const other = workload('shop/web-2', { labels: { app: 'web', track: 'canary' } });
    const canary = policy('shop/canary', { podSelector: { matchLabels: { track: 'canary' } } });
    const { answer } = ask([...base, other, canary], 'deploy/till', 'svc/front');
    expect(answer.verdict).toBe('mixed');
    expect(answer.paths.map(({ server, verdict }) => [server.id, verdict])).toEqual([
      ['shop/web[Deployment]', 'allowed'],
      ['shop/web-2[Deployment]', 'denied'],
    ]);
  });

  it("are about each endpoint's own port where a name stands for two numbers", () => {
    const other = workload('shop/web-2', { labels: { app: 'web', track: 'canary' }, ports: [{ name: 'http', containerPort: 9090 }] });
    const { answer } = ask([...base, other, opened()], 'deploy/till', 'svc/front');
    expect(answer.paths.map(({ port, verdict }) => [port, verdict])).toEqual([
      [8080, 'allowed'],
      [9090, 'denied'],
    ]);
    expect(answer.verdict).toBe('mixed');
  });

  it('pods of a workload that no policy tells apart are judged once', () => {
    const pods = Array.from({ length: 20 }, (_, index) =>
      pod(`shop/till-${index}`, {
        labels: { app: 'till', index: String(index) },
        ip: `10.0.0.${index}`,
        owner: { kind: 'Deployment', name: 'till' },
      }),
    );
    const { answer } = ask([...base, ...pods], 'deploy/till', 'svc/front');
    expect(answer.paths).toHaveLength(1);
    expect(answer.paths[0]?.client.pods).toHaveLength(20);
  });

  it('a policy that tells two of them apart splits them', () => {
    const pods = [0, 1, 2].map((index) =>
      pod(`shop/till-${index}`, {
        labels: { app: 'till', index: String(index) },
        ip: `10.0.0.${index}`,
        owner: { kind: 'Deployment', name: 'till' },
      }),
    );
    const one = policy('shop/one', { podSelector: { matchLabels: { index: '1' } }, policyTypes: ['Egress'] });
    const { answer } = ask([...base, ...pods, one], 'deploy/till', 'svc/front');
    expect(answer.paths.map(({ client, verdict }) => [client.pods, verdict])).toEqual([
      [['till-0', 'till-2'], 'allowed'],
      [['till-1'], 'denied'],
    ]);
  });
});

describe('what a namespace is labelled', () => {
  const fromLabelled = policy('shop/web', {
    podSelector: {},
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: 'a' } } }] }],
  });
  const fromNamed = policy('shop/web', {
    podSelector: {},
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'desk' } } }] }],
  });

  it.each([
    ['is not known without its object', [fromLabelled], 'depends'],
    ['is known with it', [fromLabelled, namespace('desk', { team: 'a' })], 'allowed'],
    ['is known with it, also when it lacks the label', [fromLabelled, namespace('desk')], 'denied'],
    ['its name is always known', [fromNamed], 'allowed'],
  ])('%s', (_what, more, expected) =>
    expect(verdictOf([...base, workload('desk/memo'), ...more], 'deploy/memo.desk', 'svc/front')).toBe(expected),
  );
});

describe('Services', () => {
  const codes = (texts: readonly string[], from = 'deploy/till', to = 'svc/front', port?: number) => {
    const { answer } = ask(texts, from, to, port === undefined ? {} : { port });
    return [answer.verdict, answer.notes.map(({ code }) => code)];
  };

  it('nobody behind it: depends, and says what the selector looks for', () => {
    const { answer } = ask([shop, till, front], 'deploy/till', 'svc/front');
    expect(answer.verdict).toBe('depends');
    expect(answer.notes.map(({ text }) => text)).toContain(
      'nobody is behind svc/front.shop: its selector app=web matches no pod and no pod template',
    );
  });

  it('no selector and no slice', () => {
    const { answer } = ask([shop, till, service('shop/front', { ports: [{ port: 80 }] })], 'deploy/till', 'svc/front');
    expect(answer.notes.map(({ text }) => text)).toContain('nobody is behind svc/front.shop: it has no selector and no EndpointSlice');
  });

  it('an unready pod is judged, and said to refuse', () => {
    expect(codes([shop, till, front, pod('shop/web-1', { labels: { app: 'web' }, ip: '10.0.0.1', ready: false })])).toEqual([
      'allowed',
      ['NotReady', 'TemplateOnly'],
    ]);
  });

  it('a pod without the named port gets no connections', () => {
    expect(codes([shop, till, front, workload('shop/web', { ports: [] })])).toEqual(['depends', ['NoSuchPort']]);
  });

  it('a headless one is dialled on the port of the pod', () => {
    const headless = service('shop/front', { clusterIP: 'None', selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] });
    expect(codes([shop, till, web, headless, opened()])).toEqual(['denied', ['Headless', 'TemplateOnly']]);
    expect(codes([shop, till, web, headless, opened()], 'deploy/till', 'svc/front', 8080)).toEqual(['allowed', ['TemplateOnly']]);
  });

  it('an ExternalName of another Service is followed, without translation of its port', () => {
    const alias = service('shop/alias', { type: 'ExternalName', externalName: 'front.shop.svc.cluster.local' });
    expect(codes([...base, alias], 'deploy/till', 'svc/alias', 80)).toEqual(['allowed', ['ExternalName', 'TemplateOnly']]);
  });

  it.each([
    ['without egress policies: allowed', [], 'allowed'],
    ['egress shut: denied', [tillShut], 'denied'],
    [
      'some addresses allowed: depends on which it has',
      [policy('shop/till', { podSelector: {}, policyTypes: ['Egress'], egress: [{ to: [{ ipBlock: { cidr: '192.0.2.0/24' } }] }] })],
      'depends',
    ],
  ])('an ExternalName outside, %s', (_what, policies, expected) => {
    const outside = service('shop/alias', { type: 'ExternalName', externalName: 'api.example.com' });
    expect(verdictOf([...base, outside, ...policies], 'deploy/till', 'svc/alias', { port: 443 })).toBe(expected);
  });

  it.each([
    ['an endpoint on its node', 'worker-1', 'allowed'],
    ['none there', 'worker-2', 'denied'],
  ])('internalTrafficPolicy Local, with %s', (_what, node, expected) => {
    const local = service('shop/front', {
      internalTrafficPolicy: 'Local',
      selector: { app: 'web' },
      ports: [{ port: 80, targetPort: 8080 }],
    });
    const webPod = pod('shop/web-1', { labels: { app: 'web' }, ip: '10.0.0.1', node: 'worker-1' });
    const client = pod('shop/till-1', { labels: { app: 'till' }, ip: '10.0.0.2', node });
    expect(verdictOf([shop, local, webPod, client], 'pod/till-1', 'svc/front')).toBe(expected);
  });

  it('internalTrafficPolicy Local without known nodes depends', () => {
    const local = service('shop/front', {
      internalTrafficPolicy: 'Local',
      selector: { app: 'web' },
      ports: [{ port: 80, targetPort: 8080 }],
    });
    expect(verdictOf([shop, till, web, local], 'deploy/till', 'svc/front')).toBe('depends');
  });

  const sliceOf = (...endpoints: readonly (readonly [string, object])[]) =>
    custom('discovery.k8s.io/v1', 'EndpointSlice', 'shop/front-1', {
      metadata: { name: 'front-1', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'front' } },
      addressType: 'IPv4',
      endpoints: endpoints.map(([name, conditions]) => ({
        addresses: ['10.0.0.1'],
        conditions,
        targetRef: { kind: 'Pod', name, uid: `uid-of-${name}` },
      })),
      ports: [{ port: 8080 }],
    });
  const leaving = { ready: false, serving: true, terminating: true };
  const webPods = ['old', 'new'].map((name) => pod(`shop/${name}`, { labels: { app: 'web' }, ip: '10.0.0.1' }));

  it('a terminating pod counts while no other is ready', () => {
    const judged = (...endpoints: readonly (readonly [string, object])[]) => {
      const { answer } = ask([shop, till, front, ...webPods, sliceOf(...endpoints)], 'deploy/till', 'svc/front');
      return [answer.paths.map(({ server }) => server.pods), answer.notes.map(({ code }) => code)];
    };
    expect(judged(['old', leaving], ['new', { ready: true }])).toEqual([[['new']], ['NotReady', 'TemplateOnly']]);
    expect(judged(['old', leaving])).toEqual([[['old']], ['OnlyTerminating', 'TemplateOnly']]);
  });

  it('a pod behind its own Service reaches itself, and not the others where ingress is shut', () => {
    const pods = ['a', 'b'].map((name) =>
      pod(`shop/${name}`, { labels: { app: 'web' }, ip: '10.0.0.1', owner: { kind: 'StatefulSet', name: 'web' } }),
    );
    const { answer } = ask([shop, front, ...pods, shut], 'app=web', 'svc/front');
    expect(answer.verdict).toBe('mixed');
    expect(answer.paths.map(({ verdict }) => verdict).toSorted()).toEqual(['allowed', 'denied']);
  });

  it('UDP and TCP of one number are two ports', () => {
    const dns = service('shop/dns', {
      selector: { app: 'web' },
      ports: [
        { name: 'udp', port: 53, protocol: 'UDP', targetPort: 5353 },
        { name: 'tcp', port: 53, protocol: 'TCP', targetPort: 5354 },
      ],
    });
    const udpOnly = policy('shop/web', {
      podSelector: {},
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ protocol: 'UDP', port: 5353 }] }],
    });
    const objects = [shop, till, web, dns, udpOnly];
    expect(verdictOf(objects, 'deploy/till', 'svc/dns', { port: 53, protocol: 'UDP' })).toBe('allowed');
    expect(verdictOf(objects, 'deploy/till', 'svc/dns', { port: 53 })).toBe('denied');
  });
});

describe('from outside the cluster', () => {
  const balanced = (spec: object) =>
    service('shop/front', { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }], ...spec });
  const fromOffice = policy('shop/web', {
    podSelector: {},
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ ipBlock: { cidr: '203.0.113.0/24' } }] }],
  });

  it.each([
    ['a ClusterIP opens nothing', front, [], 'depends'],
    ['a load balancer does', balanced({}), [], 'allowed'],
    ["with the client's own address the rule decides", balanced({ externalTrafficPolicy: 'Local' }), [fromOffice], 'allowed'],
    ['a node may put its own in its place', balanced({}), [fromOffice], 'depends'],
    [
      'outside its source ranges it lets nobody in',
      balanced({ allocateLoadBalancerNodePorts: false, loadBalancerSourceRanges: ['198.51.100.0/24'] }),
      [],
      'denied',
    ],
  ])('%s', (_what, entry, policies, expected) =>
    expect(verdictOf([shop, web, entry, ...policies], '203.0.113.9', 'svc/front')).toBe(expected),
  );

  it('a range is cut where policies tell addresses apart', () => {
    const half = policy('shop/till', {
      podSelector: {},
      policyTypes: ['Egress'],
      egress: [{ to: [{ ipBlock: { cidr: '203.0.113.0/25' } }] }],
    });
    const { answer } = ask([shop, till, half], 'deploy/till', '203.0.113.0/24', { port: 443 });
    expect(answer.verdict).toBe('mixed');
    expect(answer.paths.map(({ server, verdict }) => `${server.id} ${verdict}`)).toEqual([
      '203.0.113.0-203.0.113.127 allowed',
      '203.0.113.128-203.0.113.255 denied',
    ]);
  });
});

describe('what is not evaluated is said', () => {
  const cilium = custom('cilium.io/v2', 'CiliumNetworkPolicy', 'shop/web', { spec: { endpointSelector: { matchLabels: { app: 'web' } } } });

  it('an open path may be shut by it, and a shut one opened', () => {
    const { answer } = ask([...base, cilium], 'deploy/till', 'svc/front');
    expect(answer.verdict).toBe('depends');
    expect(answer.ingress).toMatchObject({ verdict: 'depends', dependsOn: ['CiliumNetworkPolicy shop/web, not evaluated'] });
    expect(answer.ingress?.reason).toMatch(
      /^depends on CiliumNetworkPolicy shop\/web, not evaluated \(net\.yaml:\d+\); without that allowed: /,
    );
    expect(verdictOf([...base, shut, cilium], 'deploy/till', 'svc/front')).toBe('depends');
  });

  it('a path that depends on something else already depends on it as well', () => {
    const byAddress = policy('shop/web', {
      podSelector: { matchLabels: { app: 'web' } },
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }],
    });
    const { answer } = ask([...base, byAddress, cilium], 'deploy/till', 'svc/front');
    expect(answer.ingress).toMatchObject({ verdict: 'depends', dependsOn: ['CiliumNetworkPolicy shop/web, not evaluated'] });
    expect(answer.ingress?.reason).toMatch(
      /^depends on .+; and depends on CiliumNetworkPolicy shop\/web, not evaluated \(net\.yaml:\d+\)$/,
    );
  });

  it.each([
    [
      'one that certainly selects other pods',
      custom('cilium.io/v2', 'CiliumNetworkPolicy', 'shop/x', { spec: { endpointSelector: { matchLabels: { app: 'other' } } } }),
      'allowed',
    ],
    ['one in another namespace', custom('cilium.io/v2', 'CiliumNetworkPolicy', 'other/x', {}), 'allowed'],
    ['a cluster-wide one', custom('cilium.io/v2', 'CiliumClusterwideNetworkPolicy', 'x', {}), 'depends'],
    [
      'a label with a source',
      custom('cilium.io/v2', 'CiliumNetworkPolicy', 'shop/x', { spec: { endpointSelector: { matchLabels: { 'k8s:app': 'web' } } } }),
      'depends',
    ],
    ["Calico's", custom('crd.projectcalico.org/v1', 'NetworkPolicy', 'shop/x', { spec: { selector: 'all()' } }), 'depends'],
    ["Calico's GlobalNetworkPolicy", custom('projectcalico.org/v3', 'GlobalNetworkPolicy', 'x', {}), 'depends'],
    ["Istio's for the server", custom('security.istio.io/v1', 'AuthorizationPolicy', 'shop/x', {}), 'depends'],
    ['an EgressFirewall, of a connection inside', custom('k8s.ovn.org/v1', 'EgressFirewall', 'shop/default', {}), 'allowed'],
  ])('%s', (_what, text, expected) => expect(verdictOf([...base, text], 'deploy/till', 'svc/front')).toBe(expected));

  it('and splits the pods of a workload, of which it selects some', () => {
    const pods = ['a', 'b'].map((name) =>
      pod(`shop/${name}`, { labels: { app: 'web', track: name }, ip: '10.0.0.1', owner: { kind: 'StatefulSet', name: 'web' } }),
    );
    const canary = custom('cilium.io/v2', 'CiliumNetworkPolicy', 'shop/x', { spec: { endpointSelector: { matchLabels: { track: 'b' } } } });
    const { answer } = ask([shop, till, front, ...pods, canary], 'deploy/till', 'svc/front');
    expect(answer.paths.map(({ server, verdict }) => [server.pods, verdict])).toEqual([
      [['a'], 'allowed'],
      [['b'], 'depends'],
    ]);
  });

  it('a mesh cannot open what policies shut', () => {
    expect(
      verdictOf([...base, shut, custom('security.istio.io/v1', 'AuthorizationPolicy', 'shop/x', {})], 'deploy/till', 'svc/front'),
    ).toBe('denied');
  });

  it('policies that may not be listed', () => {
    const gaps = [
      { kind: 'NetworkPolicy', resource: 'networkpolicies.networking.k8s.io', readIn: [], message: 'networkpolicies is forbidden' },
    ];
    const { answer } = ask(base, 'deploy/till', 'svc/front', { gaps });
    expect(answer.verdict).toBe('depends');
    expect(answer.egress?.dependsOn).toEqual(['networkpolicies.networking.k8s.io, which may not be listed']);
    expect(verdictOf(base, 'deploy/till', 'svc/front', { gaps: gaps.map((gap) => ({ ...gap, readIn: ['shop'] })) })).toBe('allowed');
  });

  it('policies of which the server could not say', () => {
    const gap = { readIn: [], message: 'service unavailable', isUnanswered: true } as const;
    const silent = [{ ...gap, kind: 'NetworkPolicy', resource: 'networkpolicies.networking.k8s.io' }];
    expect(ask(base, 'deploy/till', 'svc/front', { gaps: silent }).answer.egress?.dependsOn).toEqual([
      'networkpolicies.networking.k8s.io, which could not be asked',
    ]);
    const groupDown = (group: string) => [{ ...gap, group, resource: group }];
    const withShut = [...base, shut];
    const verdictsWithout = (group: string) =>
      [base, withShut].map((texts) => verdictOf(texts, 'deploy/till', 'svc/front', { gaps: groupDown(group) }));
    expect(verdictsWithout('projectcalico.org')).toEqual(['depends', 'depends']);
    expect(verdictsWithout('policy.networking.k8s.io')).toEqual(['depends', 'depends']);
    expect(verdictsWithout('security.istio.io')).toEqual(['depends', 'denied']); // a mesh can only shut
    expect(verdictsWithout('k8s.ovn.org')).toEqual(['allowed', 'denied']); // of addresses outside alone
    expect(verdictsWithout('serving.kserve.io')).toEqual(['allowed', 'denied']); // has no policies
  });
});

describe("Istio's ambient mesh", () => {
  const ambient = namespace('shop', { 'istio.io/dataplane-mode': 'ambient' });
  const tunnel = opened([{ protocol: 'TCP', port: 15_008 }]);

  it.each([
    ['a rule for the real port blocks it', [ambient, till, web, front, opened()], 'denied'],
    ["a rule for the tunnel's opens it", [ambient, till, web, front, tunnel], 'allowed'],
    [
      'with one end outside nothing is tunnelled',
      [ambient, workload('shop/till', { labels: { app: 'till', 'istio.io/dataplane-mode': 'none' } }), web, front, opened()],
      'allowed',
    ],
  ])('%s', (_what, objects, expected) => expect(verdictOf(objects, 'deploy/till', 'svc/front')).toBe(expected));
});

describe('names', () => {
  const egress = (...more: readonly object[]) =>
    policy('shop/till', {
      podSelector: { matchLabels: { app: 'till' } },
      policyTypes: ['Egress'],
      egress: [{ to: [{ podSelector: {} }] }, ...more],
    });
  const toDns = {
    to: [{ namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
    ports: [{ protocol: 'UDP', port: 53 }],
  };
  const codes = (to: string, policies: readonly string[], port?: number) =>
    ask([...base, ...policies], 'deploy/till', to, port === undefined ? {} : { port })
      .answer.notes.filter(({ code }) => code === 'NameServerShut')
      .map(({ text }) => text);

  it('a client whose egress leaves out the name server is warned', () => {
    expect(codes('svc/front', [egress()])).toEqual([
      expect.stringMatching(
        /^front\.shop does not resolve there: egress of shop\/till\[Deployment\] to the name server \(UDP 53\): shop\/till isolates the pod/,
      ),
    ]);
  });

  it('not where the cache on the node is there, and open', () => {
    const cache = custom('apps/v1', 'DaemonSet', 'kube-system/node-local-dns', {
      spec: { template: { spec: { hostNetwork: true, containers: [{ name: 'main' }] } } },
    });
    const toCache = { to: [{ ipBlock: { cidr: '169.254.20.10/32' } }], ports: [{ protocol: 'UDP', port: 53 }] };
    expect(codes('svc/front', [egress(toCache), cache])).toEqual([]);
    expect(codes('svc/front', [egress(toCache)])).toHaveLength(1);
  });

  it('not when a rule lets it through, nor without egress policies, nor where an address is dialled', () => {
    expect(codes('svc/front', [egress(toDns)])).toEqual([]);
    expect(codes('svc/front', [])).toEqual([]);
    expect(codes('deploy/web', [egress()], 8080)).toEqual([]);
  });
});

describe('what the network plugin decides', () => {
  const byAddress = policy('shop/web', {
    podSelector: { matchLabels: { app: 'web' } },
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }],
  });
  const pods = [
    shop,
    front,
    pod('shop/till-1', { labels: { app: 'till' }, ip: '10.0.0.1' }),
    pod('shop/web-1', { labels: { app: 'web' }, ip: '10.0.0.2' }),
    byAddress,
  ];

  it.each([
    [undefined, 'depends'],
    ['calico', 'allowed'],
    ['ovn', 'allowed'],
    ['kube-router', 'depends'],
    ['cilium', 'denied'],
  ] as const)('ipBlock against a pod, with %s', (cni, expected) =>
    expect(verdictOf(pods, 'pod/till-1', 'svc/front', cni === undefined ? {} : { cni })).toBe(expected),
  );

  it("Amazon's judges the Service port as well", () => {
    const egress = policy('shop/till', {
      podSelector: { matchLabels: { app: 'till' } },
      policyTypes: ['Egress'],
      egress: [{ to: [{ podSelector: {} }] }],
    });
    expect(verdictOf([...base, egress], 'deploy/till', 'svc/front', { cni: 'aws' })).toBe('depends');
    expect(verdictOf(base, 'deploy/till', 'svc/front', { cni: 'aws' })).toBe('allowed');
  });
});

it('a pod without an address is judged by its labels, and that is said', () => {
  const { answer } = ask([shop, till, front, pod('shop/web-1', { labels: { app: 'web' } })], 'deploy/till', 'svc/front');
  expect(answer.notes.map(({ text }) => text)).toContain('web-1: without an address yet, judged by labels');
});

it('a workload asked about itself: two of its pods are meant', () => {
  expect(verdictOf([...base, shut], 'deploy/web', 'deploy/web', { port: 8080 })).toBe('denied');
  const lone = pod('shop/web-1', { labels: { app: 'web' }, ip: '10.0.0.1' });
  expect(verdictOf([shop, lone, shut], 'pod/web-1', 'pod/web-1', { port: 8080 })).toBe('allowed');
});
