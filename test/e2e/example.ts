import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { RealNode } from '../cluster/node.ts';
import { askFromClient } from './ask-from-client.ts';
import { eventually } from './eventually.ts';
import { captureStartState } from './start-state.ts';

const overlay = join(import.meta.dirname, 'example');

const loadDeadlineMs = 60_000;

/** What pods need to be created, and to be scheduled, before they are. The others follow. */
const stages: readonly (readonly string[])[] = [['Namespace', 'RuntimeClass', 'PersistentVolume'], ['PersistentVolumeClaim']];

/**
 * Loads examples/llm-serving as the overlay in `example/` has it, and waits until every pod is ready. In stages: the claim and its volume
 * find each other at once only if the volume is there first, and in fifteen seconds otherwise.
 */
export async function loadExample(node: RealNode): Promise<void> {
  const rendered = await kubectl(node, ['kustomize', overlay]);
  const documents = parseAllDocuments(rendered).map((document) => ({
    kind: String('get' in document ? document.get('kind') : ''),
    text: String(document),
  }));
  const early = new Set(stages.flat());
  for (const kinds of stages) {
    await apply(
      node,
      documents.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text),
    );
    if (kinds.includes('PersistentVolume'))
      await kubectl(node, ['wait', '--for=jsonpath={.status.phase}=Available', 'pv', '--all', '--timeout=30s']);
    else await kubectl(node, ['wait', '--for=jsonpath={.status.phase}=Bound', 'pvc', '--all', '--all-namespaces', '--timeout=30s']);
  }
  await apply(
    node,
    documents.filter(({ kind }) => !early.has(kind)).map(({ text }) => text),
  );
  await kubectl(node, [
    'wait',
    '--for=condition=Available',
    'deployments',
    '--all',
    '--all-namespaces',
    `--timeout=${loadDeadlineMs / 1000}s`,
  ]);
  await untilClientIsAnswered(node);
  await writeFile(startStateFile(node), JSON.stringify(await captureStartState(node)));
}

export const startStateFile = (node: RealNode): string => join(node.access.directory, 'start-state.json');

/** kube-proxy and kube-router follow the API server in their own time; the client sees when they have. */
export async function untilClientIsAnswered(node: RealNode): Promise<void> {
  await eventually('poimen-memory gets an answer from clef-serve', async () => {
    const { stdout, stderr } = await askFromClient(node, 'http://clef-serve.llm-serving/v1/systemone');
    return stdout.includes('"status":200') || `${stdout}${stderr}`;
  });
}

const apply = (node: RealNode, documents: readonly string[]): Promise<string> =>
  kubectl(node, ['apply', '--filename=-'], documents.join('---\n'));

/** @throws Error with what kubectl complained about. */
export async function kubectl(node: RealNode, args: readonly string[], input = ''): Promise<string> {
  const { exitCode, stdout, stderr } = await node.run(['kubectl', ...args], { input });
  if (exitCode !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}${stdout}`);
  return stdout;
}
