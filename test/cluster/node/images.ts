import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheDirectory } from '../binaries.ts';
import { command } from './command.ts';
import { nodeFacts } from './run.ts';

/** What the server in an image answers; see modules/stand-in/main.go. */
interface StandInDefaults {
  readonly port?: number;
  readonly answers?: Readonly<Record<string, { readonly status?: number; readonly body: unknown }>>;
}

interface Image {
  readonly reference: string;
  /** Where the server is in the image, and what it starts with. Nothing else is in there but the tools. */
  readonly server: string;
  readonly defaults?: StandInDefaults;
  readonly tools?: readonly Tool[];
}

type Tool = 'busybox' | 'curl' | 'bash';

const models = (...names: readonly string[]): StandInDefaults => ({
  answers: { '/v1/models': { body: { data: names.map((id) => ({ id })) } } },
});

/** The claim's copy of candle-vllm has the route that the one in the image lacks, as in the example. */
export const correctedCandle: StandInDefaults = { answers: { '/v1/systemone': { body: { model: 'clef-flash', engine: 'candle' } } } };

/** The example's, and clients with a tool each. */
const images: readonly Image[] = [
  {
    reference: 'llm/clef-serve:2.8.0-cu128',
    server: '/usr/local/bin/clef-serve',
    defaults: { answers: { '/v1/systemone': { body: { model: 'clef-flash', engine: 'pytorch' } } } },
  },
  { reference: 'llm/candle-vllm:sm70', server: '/usr/local/bin/candle-vllm' },
  { reference: 'vllm/vllm-openai:v0.11.0', server: '/usr/local/bin/vllm', defaults: models('coder', 'reasoning', 'reasoning-long') },
  { reference: 'poimen/memory:1.4.2', server: '/usr/local/bin/memory', defaults: { port: 8000 }, tools: ['busybox'] },
  {
    reference: 'poimen/graphql:1.4.2',
    server: '/usr/local/bin/graphql',
    defaults: { port: 8090, answers: { '/graphql': { body: { data: {} } } } },
  },
  { reference: 'test/client-busybox:1', server: '/usr/local/bin/client', tools: ['busybox'] },
  { reference: 'test/client-curl:1', server: '/usr/local/bin/client', tools: ['curl'] },
  { reference: 'test/client-bash:1', server: '/usr/local/bin/client', tools: ['bash'] },
  { reference: 'test/client-no-tools:1', server: '/client' },
  { reference: 'test/pause:1', server: '/pause' },
];

const busyboxApplets = ['sh', 'wget', 'nc', 'nslookup', 'cat', 'echo', 'env', 'grep', 'head', 'ls', 'sleep', 'timeout', 'true'];

export const pauseImage = `${nodeFacts.registryHost}/test/pause:1`;

export const dnsImage = `${nodeFacts.registryHost}/test/coredns:1`;

export interface ImageSources {
  /** The static server. */
  readonly standIn: string;
  readonly coredns: string;
}

/**
 * The storage folder of a registry that holds every image of the tests' node, built by buildah if it is not there yet. It belongs to the
 * cache: whoever lets a registry write to it takes a copy.
 */
export async function ensureImages(sources: ImageSources, onProgress: (line: string) => void): Promise<string> {
  const storage = join(cacheDirectory(), `images-${await imagesKey(sources)}`);
  const isThere = await access(storage, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (isThere) return storage;

  onProgress('images of the test node: building ...');
  const startedAt = performance.now();
  await mkdir(cacheDirectory(), { recursive: true });
  const scratch = await mkdtemp(join(cacheDirectory(), 'images-unfinished-'));
  try {
    for (const image of images) await writeContext(join(scratch, 'context', image.reference), image, sources.standIn);
    await writeDnsContext(join(scratch, 'context', 'test/coredns:1'), sources.coredns);
    await buildAndPush(scratch, [...images.map(({ reference }) => reference), 'test/coredns:1']);
    // another process may have been faster: the same images, either will do
    await rename(join(scratch, 'registry'), storage).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  onProgress(`images of the test node: built in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return storage;
}

/** Changes with whatever goes into the images. The binaries' paths do too: they are in a folder named after their sources. */
async function imagesKey(sources: ImageSources): Promise<string> {
  const hash = createHash('sha256');
  hash.update(await readFile(import.meta.filename));
  hash.update(JSON.stringify([sources.standIn, sources.coredns]));
  return hash.digest('hex').slice(0, 12);
}

async function writeContext(context: string, { server, defaults, tools }: Image, standIn: string): Promise<void> {
  const root = join(context, 'root');
  await place(standIn, root, server);
  if (defaults !== undefined) await writeFile(join(root, `${server}.json`), JSON.stringify(defaults));
  for (const tool of tools ?? []) await placeTool(tool, root);
  if (tools?.includes('busybox')) await place(standIn, root, '/usr/local/bin/stand-in');
  await writeFile(
    join(context, 'Dockerfile'),
    `FROM scratch\nCOPY root /\nENV PATH=/usr/local/bin:/usr/bin:/bin\nENTRYPOINT ["${server}"${server === '/pause' ? ', "pause"' : ''}]\n`,
  );
}

async function writeDnsContext(context: string, coredns: string): Promise<void> {
  await place(coredns, join(context, 'root'), '/coredns');
  await writeFile(join(context, 'Dockerfile'), 'FROM scratch\nCOPY root /\nENTRYPOINT ["/coredns"]\n');
}

/** From this machine, with the libraries that it is linked with. */
async function placeTool(tool: Tool, root: string): Promise<void> {
  const path = (await command('sh', '-c', `command -v ${tool}`)).trim();
  await place(path, root, `/bin/${tool}`);
  if (tool === 'busybox') for (const applet of busyboxApplets) await symlink('busybox', join(root, 'bin', applet));
  for (const library of await librariesOf(path)) await place(library, root, library);
}

/** None for a static program, about which ldd complains. */
async function librariesOf(path: string): Promise<readonly string[]> {
  const listed = await command('ldd', path).catch(() => '');
  return [...listed.matchAll(/(?:=> |^\s+)(\/\S+)/gm)].map(([, library]) => String(library));
}

async function place(file: string, root: string, path: string): Promise<void> {
  const target = join(root, path);
  await mkdir(dirname(target), { recursive: true });
  await copyFile(file, target);
  await chmod(target, 0o755);
}

/** In a network of its own: any number of builds on one machine, each with its registry on the same port. */
async function buildAndPush(scratch: string, references: readonly string[]): Promise<void> {
  const registryConfig = join(scratch, 'registry.yaml');
  await writeFile(registryConfig, renderRegistryConfig(join(scratch, 'registry'), '127.0.0.1:5000'));
  // of our own: whether Debian's is there depends on a recommended package
  await writeFile(join(scratch, 'policy.json'), JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }));
  const script = `
    ip link set lo up
    docker-registry serve ${registryConfig} >registry.log 2>&1 &
    until (exec 3<>/dev/tcp/127.0.0.1/5000) 2>/dev/null; do sleep 0.1; done
    buildah() { command buildah --root "$PWD/storage" --runroot "$PWD/storage-run" --storage-driver vfs "$@"; }
    for reference in "$@"; do
      buildah bud -q --signature-policy policy.json --isolation chroot -t "localhost/$reference" "context/$reference"
      buildah push -q --signature-policy policy.json --tls-verify=false "localhost/$reference" "docker://127.0.0.1:5000/$reference"
    done`;
  const child = spawn(
    'unshare',
    ['--net', '--pid', '--mount', '--fork', '--kill-child', '--mount-proc', 'bash', '-euc', script, 'bash', ...references],
    {
      cwd: scratch,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints = (complaints + chunk).slice(-4000)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`building the images of the test node failed:\n${complaints.trim()}`);
}

export const renderRegistryConfig = (storage: string, address: string): string =>
  JSON.stringify({
    version: 0.1,
    log: { level: 'warn', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: storage }, delete: { enabled: true } },
    http: { addr: address },
  });
