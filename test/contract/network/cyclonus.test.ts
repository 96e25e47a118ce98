import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPolicyEngine } from '../../../src/network/policy/create-policy-engine.ts';
import type { PathQuestion, PolicyWorld, Verdict } from '../../../src/network/policy/engine.ts';
import type { PodPeer, PolicyPeer } from '../../../src/network/policy/peer.ts';
import { ensureCyclonus } from '../../network/cyclonus/binary.ts';
import { withLabelForNotIn } from '../../network/policy/not-in.ts';
import { randomProtocol, randomWorld, Tape } from '../../network/policy/random-world.ts';

// A second opinion on NetworkPolicy v1 that shares no author: the matcher of github.com/mattfenwick/cyclonus. docs/semantics.md lists
// where it reads the API's text otherwise.
const binary = await ensureCyclonus();
if (binary.kind === 'missing') {
  if (process.env['CI'] === 'true') throw new Error(binary.reason);
  process.stderr.write(`contract: cyclonus is left out: ${binary.reason}\n`);
}

const cases = Number(process.env['POIMEN_CYCLONUS_CASES'] ?? 20_000);

interface Case {
  readonly world: PolicyWorld;
  readonly question: PathQuestion;
}

interface Halves {
  readonly egress: Verdict;
  readonly ingress: Verdict;
}

const randomCase = (bytes: Uint8Array): Case | undefined => {
  const tape = new Tape(bytes);
  const world = { ...randomWorld(tape, { onlyDefined: true }), cni: { name: 'by address', ipBlockMatchesPods: true } };
  const [client, server] = [world.peers[tape.choose(0, 1)], world.peers[tape.choose(1, 0)]];
  if (client === undefined || server === undefined || client === server) return undefined; // cyclonus knows no self
  return { world, question: { client, server, port: tape.choose(80, 81, 53), protocol: randomProtocol(tape) } };
};

/** cyclonus knows one name of a port, and the labels of namespaces as they are given. */
const asQuestion = ({ world, question: { client, server, port, protocol } }: Case): string => {
  const peer = (end: PolicyPeer) => (end.kind === 'address' ? { address: end.address } : podOf(end, world));
  const named = server.kind === 'pod' ? server.namedPorts.find((own) => own.port === port && own.protocol === protocol) : undefined;
  const policies = world.policies.map(({ object }) => object);
  return JSON.stringify({ policies, client: peer(client), server: peer(server), port, portName: named?.name ?? '', protocol });
};

const podOf = ({ namespace, labels, addresses: [address = ''] }: PodPeer, { namespaces }: PolicyWorld): object => {
  const object = namespaces.find(({ metadata }) => metadata.name === namespace);
  return { namespace, labels, address, namespaceLabels: { ...object?.metadata.labels, 'kubernetes.io/metadata.name': namespace } };
};

const askCyclonus = async (path: string, asked: readonly Case[]): Promise<readonly Halves[]> => {
  const child = spawn(path, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(asked.map(asQuestion).join('\n'));
  const lines = (await text(child.stdout)).trim().split('\n');
  return lines.map((line) => {
    const { egress, ingress } = JSON.parse(line);
    return { egress: egress ? 'allowed' : 'denied', ingress: ingress ? 'allowed' : 'denied' };
  });
};

const askEngine = ({ world, question }: Case): Halves => {
  const { egress, ingress } = createPolicyEngine(world).path(question);
  return { egress: egress.verdict, ingress: ingress.verdict };
};

describe.skipIf(binary.kind === 'missing')('cyclonus', () => {
  const path = binary.kind === 'found' ? binary.path : '';

  it(`gives the same answer for both halves of ${cases} random connections, once NotIn is read as it reads it`, async () => {
    const asked = fc.sample(fc.uint8Array({ minLength: 120, maxLength: 120 }), cases).flatMap((bytes) => randomCase(bytes) ?? []);
    const answers = await askCyclonus(path, asked);
    expect(answers).toHaveLength(asked.length);
    const others = asked.filter((one, index) => {
      const halves = askEngine({ ...one, world: withLabelForNotIn(one.world) });
      return halves.egress !== answers[index]?.egress || halves.ingress !== answers[index]?.ingress;
    });
    expect(others.slice(0, 3).map((one) => JSON.parse(asQuestion(one)))).toEqual([]);
  });

  const pod = (name: string, labels: Record<string, string>): PodPeer => ({
    kind: 'pod',
    namespace: 'a',
    name,
    labels,
    addresses: [`10.0.0.${name.length}`],
    hostNetwork: false,
    nodeAddresses: [],
    namedPorts: [],
  });
  const selecting = (podSelector: object, client: PodPeer): Case => ({
    world: {
      policies: [
        {
          kind: 'NetworkPolicy',
          object: {
            apiVersion: 'networking.k8s.io/v1',
            kind: 'NetworkPolicy',
            metadata: { name: 'in', namespace: 'a' },
            spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from: [{ podSelector }] }] },
          },
        },
      ],
      namespaces: [],
      peers: [],
    },
    question: { client, server: pod('server', {}), port: 80, protocol: 'TCP' },
  });

  it.each<[string, Case, Verdict, Verdict]>([
    [
      'NotIn also selects what lacks the label (Kubernetes, "Labels and Selectors")',
      selecting({ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['x'] }] }, pod('client', {})),
      'allowed',
      'denied',
    ],
    ['an empty value is not an absent label', selecting({ matchLabels: { app: '' } }, pod('client', {})), 'denied', 'allowed'],
    ['a pod always reaches itself', selecting({ matchLabels: { app: 'x' } }, pod('server', {})), 'allowed', 'denied'],
  ])('differs: %s', async (_sentence, asked, ours, theirs) => {
    const [answer] = await askCyclonus(path, [asked]);
    expect({ ours: askEngine(asked).ingress, theirs: answer?.ingress }).toEqual({ ours, theirs });
  });
});
