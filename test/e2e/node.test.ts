import { describe, expect, it } from 'vitest';
import { askFromClient } from './ask-from-client.ts';
import { eventually } from './eventually.ts';
import { kubectl } from './example.ts';
import { get, useRealNode } from './harness.ts';

interface Pod {
  readonly status: {
    readonly phase: string;
    readonly conditions: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

const node = useRealNode();

const seenFromClient = async (url: string): Promise<string> => (await askFromClient(node, url)).stdout;

const clef = 'http://clef-serve.llm-serving/v1/systemone';

describe('the node', () => {
  it('has four GPUs, all booked by the example, so that one more pod has to wait', async () => {
    const limits = { 'nvidia.com/gpu': '1' };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'fifth' },
      spec: { containers: [{ name: 'c', image: 'registry.example/test/client-no-tools:1', resources: { limits } }] },
    };
    await kubectl(node, ['create', '--filename=-'], JSON.stringify(pod));
    await eventually('the scheduler has looked at the pod', async () => {
      const { status } = await get<Pod>(node, 'pod', 'fifth');
      return status.conditions?.some(({ type }) => type === 'PodScheduled') || JSON.stringify(status);
    });
    const { status } = await get<Pod>(node, 'pod', 'fifth');
    expect(status.phase).toBe('Pending');
    expect(status.conditions.find(({ type }) => type === 'PodScheduled')).toMatchObject({
      status: 'False',
      message: expect.stringContaining('Insufficient nvidia.com/gpu'),
    });
    await kubectl(node, ['scale', 'deployment/clef-serve', '--namespace=llm-serving', '--replicas=0']);
    await kubectl(node, ['wait', 'pod/fifth', '--for=condition=Ready', '--timeout=30s']);
  });

  it('rejects what a NetworkPolicy does not allow, and lets it through once one does', async () => {
    expect(await seenFromClient(clef)).toContain('"status":200');
    const policy = await get<{ readonly spec: object }>(node, 'networkpolicy', 'llm-serving-ingress', '--namespace=llm-serving');
    const path = '/apis/networking.k8s.io/v1/namespaces/llm-serving/networkpolicies/llm-serving-ingress';
    expect((await node.request('PATCH', path, { spec: { ingress: [] } })).status).toBe(200);
    await eventually('the client is refused', async () => {
      const seen = await seenFromClient(clef);
      return seen.includes('connection refused') || seen;
    });
    expect((await node.request('PATCH', path, { spec: policy.spec })).status).toBe(200);
    await eventually('the client is answered again', async () => {
      const seen = await seenFromClient(clef);
      return seen.includes('"status":200') || seen;
    });
  });

  it("resolves a Service's name to its address, and no name outside the cluster", async () => {
    const service = await get<{ readonly spec: { readonly clusterIP: string } }>(node, 'service', 'clef-serve', '--namespace=llm-serving');
    const lookup = (name: string) =>
      node.run(['kubectl', 'exec', '--namespace=poimen', 'deployment/poimen-memory', '--', 'nslookup', name]);
    expect((await lookup('clef-serve.llm-serving.svc.cluster.local')).stdout).toContain(`Address: ${service.spec.clusterIP}`);
    expect((await lookup('poimen.example')).stdout).toContain('NXDOMAIN');
  });

  it('refuses connections to a Service without endpoints', async () => {
    await kubectl(node, ['scale', 'deployment/clef-serve', '--namespace=llm-serving', '--replicas=0']);
    await eventually('the client is refused', async () => {
      const seen = await seenFromClient(clef);
      return seen.includes('connection refused') || seen;
    });
  });

  it('has clients with one tool each, and one with none', async () => {
    const tools = { busybox: ['sh', 'wget', 'nc'], curl: ['curl'], bash: ['bash'], 'no-tools': [] };
    const all = ['sh', 'wget', 'nc', 'curl', 'bash'];
    const containers = Object.keys(tools).map((name, index) => ({
      name,
      image: `registry.example/test/client-${name}:1`,
      env: [{ name: 'STAND_IN', value: JSON.stringify({ port: 9000 + index }) }],
    })); // one network, so a port each
    await kubectl(
      node,
      ['create', '--filename=-'],
      JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'clients' }, spec: { containers } }),
    );
    await kubectl(node, ['wait', 'pod/clients', '--for=condition=Ready', '--timeout=30s']);
    for (const [container, expected] of Object.entries(tools)) {
      const found: string[] = [];
      for (const tool of all) {
        const { stderr } = await node.run(['kubectl', 'exec', 'clients', `--container=${container}`, '--', tool, '--help']);
        if (!/executable file not found|no such file/.test(stderr)) found.push(tool);
      }
      expect({ [container]: found }).toEqual({ [container]: expected });
    }
  });

  it('starts what a test pushes to its registry', async () => {
    const manifests = (image: string) => `http://${node.registry}/v2/test/${image}`;
    const type = 'application/vnd.oci.image.manifest.v1+json';
    for (const source of ['client-curl', 'client-no-tools']) {
      const copy = `
        curl -sSf -H 'Accept: ${type}' ${manifests(source)}/manifests/1 |
        curl -sSf -X PUT -H 'Content-Type: ${type}' --data-binary @- ${manifests(source)}/manifests/moving`;
      expect(await node.run(['bash', '-o', 'pipefail', '-c', copy])).toMatchObject({ exitCode: 0 });
      await kubectl(node, ['run', source, `--image=registry.example/test/${source}:moving`]);
      await kubectl(node, ['wait', `pod/${source}`, '--for=condition=Ready', '--timeout=30s']);
    }
  });
});
