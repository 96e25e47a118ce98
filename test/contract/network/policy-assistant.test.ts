import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createPolicyEngine } from '../../../src/network/policy/create-policy-engine.ts';
import type { PathQuestion, PolicyWorld } from '../../../src/network/policy/engine.ts';
import type { PodPeer, PolicyPeer } from '../../../src/network/policy/peer.ts';
import { ensurePolicyAssistant } from '../../network/policy-assistant/binary.ts';
import { withLabelForNotIn } from '../../network/policy/not-in.ts';
import { randomProtocol, randomWorld, Tape } from '../../network/policy/random-world.ts';

// A second opinion on AdminNetworkPolicy and BaselineAdminNetworkPolicy beside NetworkPolicy v1: the matcher of policy-assistant, from the
// repository of the API itself. docs/semantics.md says what it can be asked.
const binary = await ensurePolicyAssistant();
if (binary.kind === 'found') afterAll(binary.remove);
else process.stderr.write(`contract: policy-assistant is left out: ${binary.reason}\n`);

const cases = Number(process.env['POIMEN_POLICY_ASSISTANT_CASES'] ?? 20_000);

interface Case {
  readonly world: PolicyWorld;
  readonly question: PathQuestion;
}

const randomCase = (bytes: Uint8Array): Case | undefined => {
  const tape = new Tape(bytes);
  const world = {
    ...randomWorld(tape, { onlyDefined: true, withAdminPolicies: true }),
    cni: { name: 'by address', ipBlockMatchesPods: true },
  };
  const [client, server] = [world.peers[tape.choose(0, 1)], world.peers[tape.choose(1, 0)]];
  if (client === undefined || server === undefined || client === server) return undefined; // it knows no self
  return { world, question: { client, server, port: tape.choose(80, 81, 53), protocol: randomProtocol(tape) } };
};

/** One name of a port, the labels of namespaces as they are given, and peers as the API's first release had them. */
const asQuestion = ({ world, question: { client, server, port, protocol } }: Case): string => {
  const peer = (end: PolicyPeer) => (end.kind === 'address' ? { address: end.address } : podOf(end, world));
  const named = server.kind === 'pod' ? server.namedPorts.find((own) => own.port === port && own.protocol === protocol) : undefined;
  const of = (kind: string): readonly unknown[] => world.policies.filter((policy) => policy.kind === kind).map(({ object }) => object);
  return JSON.stringify({
    policies: of('NetworkPolicy'),
    admin: of('AdminNetworkPolicy').map(asFirstRelease),
    baseline: of('BaselineAdminNetworkPolicy').map(asFirstRelease)[0] ?? null,
    client: peer(client),
    server: peer(server),
    port,
    portName: named?.name ?? '',
    protocol,
  });
};

const asFirstRelease = (policy: unknown): unknown =>
  JSON.parse(JSON.stringify(policy), (field, value: unknown) =>
    Array.isArray(value) && (field === 'from' || field === 'to')
      ? value.map(({ namespaces, pods }) =>
          pods === undefined
            ? { namespaces: { namespaceSelector: namespaces } }
            : { pods: { namespaces: { namespaceSelector: pods.namespaceSelector }, podSelector: pods.podSelector } },
        )
      : value,
  );

const podOf = ({ namespace, labels, addresses: [address = ''] }: PodPeer, { namespaces }: PolicyWorld): object => {
  const object = namespaces.find(({ metadata }) => metadata.name === namespace);
  return { namespace, labels, address, namespaceLabels: { ...object?.metadata.labels, 'kubernetes.io/metadata.name': namespace } };
};

describe.skipIf(binary.kind === 'missing')('policy-assistant', () => {
  const path = binary.kind === 'found' ? binary.path : '';

  it(
    `gives the same answer for both halves of ${cases} random connections, once NotIn is read as it reads it`,
    { timeout: 120_000 },
    async () => {
      const asked = fc.sample(fc.uint8Array({ minLength: 160, maxLength: 160 }), cases).flatMap((bytes) => randomCase(bytes) ?? []);
      const child = spawn(path, { stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin.end(asked.map(asQuestion).join('\n'));
      const answers = (await text(child.stdout))
        .trim()
        .split('\n')
        .map((line): { egress: boolean; ingress: boolean } => JSON.parse(line));
      expect(answers).toHaveLength(asked.length);
      const others = asked.filter(({ world, question }, index) => {
        const { egress, ingress } = createPolicyEngine(withLabelForNotIn(world)).path(question);
        const word = (allowed: boolean | undefined): string => (allowed === true ? 'allowed' : 'denied');
        return egress.verdict !== word(answers[index]?.egress) || ingress.verdict !== word(answers[index]?.ingress);
      });
      expect(others.slice(0, 2).map((one) => JSON.parse(asQuestion(one)))).toEqual([]);
    },
  );
});
