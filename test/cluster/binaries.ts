import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The minor that the tests are for, and a later one, of which there is a control plane only. */
type KubernetesModule = 'kubernetes' | 'kubernetes-1.36';

/** Set to the later minor by `npm run test:skew`. */
export const minorVariable = 'POIMEN_TEST_KUBERNETES';
export const laterMinor = '1.36';

/** The Go modules below `modules/`. Each its own: their dependencies clash. */
type Module = KubernetesModule | 'etcd' | 'kwok' | 'kube-router' | 'coredns' | 'stand-in';

interface BinarySource {
  readonly module: Module;
  /** The Go package of its main function. */
  readonly goPackage: string;
}

const sources = {
  etcd: { module: 'etcd', goPackage: 'go.etcd.io/etcd/server/v3' },
  'kube-apiserver': { module: 'kubernetes', goPackage: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  'kube-controller-manager': { module: 'kubernetes', goPackage: 'k8s.io/kubernetes/cmd/kube-controller-manager' },
  'kube-scheduler': { module: 'kubernetes', goPackage: 'k8s.io/kubernetes/cmd/kube-scheduler' },
  kubectl: { module: 'kubernetes', goPackage: 'k8s.io/kubernetes/cmd/kubectl' },
  kwok: { module: 'kwok', goPackage: 'sigs.k8s.io/kwok/cmd/kwok' },
  kubelet: { module: 'kubernetes', goPackage: 'k8s.io/kubernetes/cmd/kubelet' },
  'kube-proxy': { module: 'kubernetes', goPackage: 'k8s.io/kubernetes/cmd/kube-proxy' },
  'kube-router': { module: 'kube-router', goPackage: 'github.com/cloudnativelabs/kube-router/v2/cmd/kube-router' },
  coredns: { module: 'coredns', goPackage: 'github.com/coredns/coredns' },
  'stand-in': { module: 'stand-in', goPackage: 'poimen.dev/test-cluster/stand-in' },
} as const satisfies Record<string, BinarySource>;

export type BinaryName = keyof typeof sources;

/** What a control plane with fake kubelets needs, in the order in which building is quickest. */
export const controlPlaneBinaries = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
] as const satisfies readonly BinaryName[];

/** What a real node needs, the control plane's included. */
export const realNodeBinaries = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kubelet',
  'kube-proxy',
  'kube-router',
  'coredns',
  'stand-in',
] as const satisfies readonly BinaryName[];

export const binaryNames = Object.keys(sources) as readonly BinaryName[];

export interface MissingBinary {
  readonly name: BinaryName;
  readonly reason: string;
  /** What a person does about it. */
  readonly remedy: string;
}

export interface FoundBinaries<Name extends BinaryName> {
  readonly found: Partial<Record<Name, string>>;
  readonly missing: readonly MissingBinary[];
}

export interface EnsureOptions {
  /** One line for each binary that has to be built. Default: stderr. */
  readonly onProgress?: (line: string) => void;
}

const goVersion = { major: 1, minor: 26 };

const versionPackage = 'k8s.io/component-base/version';

const modulesDirectory = join(import.meta.dirname, 'modules');

/**
 * Finds binaries without building any: first in the folder that `KUBEBUILDER_ASSETS` names (the convention of
 * controller-runtime's envtest), then in the user's cache.
 */
export async function findBinaries<Name extends BinaryName>(names: readonly Name[]): Promise<FoundBinaries<Name>> {
  const found: Partial<Record<Name, string>> = {};
  const missing: MissingBinary[] = [];
  const goProblem = await findGoProblem();
  for (const name of names) {
    const path = await locate(name);
    if (path !== undefined) found[name] = path;
    else if (goProblem === undefined) missing.push({ name, reason: 'not built yet', remedy: 'run: npm run cluster:build' });
    else
      missing.push({
        name,
        reason: `not built yet, and ${goProblem}`,
        remedy: `install Go ${goVersion.major}.${goVersion.minor}, then run: npm run cluster:build`,
      });
  }
  return { found, missing };
}

/**
 * Finds binaries and builds those that are missing, one after the other: a Go build keeps all cores busy by itself.
 *
 * @throws Error when Go is missing or a build fails, with the compiler's last lines.
 */
export async function ensureBinaries<Name extends BinaryName>(
  names: readonly Name[],
  options: EnsureOptions = {},
): Promise<Record<Name, string>> {
  const onProgress = options.onProgress ?? ((line: string) => process.stderr.write(`${line}\n`));
  const paths: Partial<Record<Name, string>> = {};
  for (const name of names) paths[name] = (await locate(name)) ?? (await build(name, onProgress));
  return paths as Record<Name, string>;
}

async function locate(name: BinaryName): Promise<string | undefined> {
  const assets = process.env['KUBEBUILDER_ASSETS'];
  const candidates = [...(assets ? [join(assets, name)] : []), join(await cacheFolder(moduleOf(name)), name)];
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
  return undefined;
}

async function build(name: BinaryName, onProgress: (line: string) => void): Promise<string> {
  const goProblem = await findGoProblem();
  if (goProblem !== undefined) throw new Error(`cannot build ${name}: ${goProblem}. Install Go ${goVersion.major}.${goVersion.minor}.`);

  const { goPackage } = sources[name];
  const module = moduleOf(name);
  const folder = await cacheFolder(module);
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  const unfinished = `${path}.${process.pid}.unfinished`;
  const startedAt = performance.now();
  onProgress(`${name}: building from ${goPackage} ...`);
  try {
    await go(['build', ...(await buildFlags(module)), '-o', unfinished, goPackage], join(modulesDirectory, module));
    await rename(unfinished, path); // another process may build the same one: the last rename wins, each is whole
  } finally {
    await rm(unfinished, { force: true });
  }
  onProgress(`${name}: built in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return path;
}

function moduleOf(name: BinaryName): Module {
  const { module } = sources[name];
  return module === 'kubernetes' && process.env[minorVariable] === laterMinor ? `kubernetes-${laterMinor}` : module;
}

/** One folder for each module, so that a change to one rebuilds no other. */
async function cacheFolder(module: Module): Promise<string> {
  const hash = createHash('sha256');
  const sourceFiles = (await readdir(join(modulesDirectory, module))).filter((file) => /\.(mod|sum|go)$/.test(file));
  for (const file of sourceFiles.toSorted()) hash.update(await readFile(join(modulesDirectory, module, file)));
  hash.update(JSON.stringify([...(await buildFlags(module)), process.platform, process.arch]));
  const key = hash.digest('hex').slice(0, 12);
  return join(cacheDirectory(), `${module}-${key}`);
}

/** What is built once, for all clusters of this user. */
export const cacheDirectory = (): string => join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'poimen', 'test-cluster');

async function buildFlags(module: Module): Promise<readonly string[]> {
  const kubernetes: KubernetesModule = module === 'kubernetes-1.36' ? module : 'kubernetes';
  const goMod = await readFile(join(modulesDirectory, kubernetes, 'go.mod'), 'utf8');
  const [, version, major, minor] = /k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)/.exec(goMod) ?? [];
  if (version === undefined) throw new Error(`modules/${kubernetes}/go.mod requires no version of k8s.io/kubernetes`);
  // without the linked version the API server reports v0.0.0
  const linked = [`gitVersion=${version}`, `gitMajor=${major}`, `gitMinor=${minor}`].map((value) => `-X ${versionPackage}.${value}`);
  return ['-trimpath', '-mod=readonly', '-buildvcs=false', '-ldflags', ['-s', '-w', ...linked].join(' ')];
}

async function findGoProblem(): Promise<string | undefined> {
  let version: string;
  try {
    version = await go(['env', 'GOVERSION'], modulesDirectory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'Go is not on PATH';
    throw error;
  }
  const match = /^go(\d+)\.(\d+)/.exec(version);
  const [major, minor] = [Number(match?.[1]), Number(match?.[2])];
  const recentEnough = major > goVersion.major || (major === goVersion.major && minor >= goVersion.minor);
  return recentEnough ? undefined : `Go on PATH is too old (${version.trim()})`;
}

function go(args: readonly string[], directory: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, {
      cwd: directory,
      // a workspace file or flags of the user would change what is built
      env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let diagnostics = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (diagnostics = (diagnostics + chunk).slice(-4000)));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`go ${args.join(' ')} exited with ${code}:\n${diagnostics.trim()}`));
    });
  });
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
