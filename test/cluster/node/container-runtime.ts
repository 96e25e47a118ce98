import { connect } from 'node:net';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProcess, waitUntil, type ManagedProcess } from '../processes.ts';
import type { Watchdog } from '../watchdog.ts';
import { pauseImage, renderRegistryConfig } from './images.ts';
import { nodeFacts } from './run.ts';

const readyDeadlineMs = 30_000;

/** A registry with a copy of the images, so that tests may push to it. */
export async function startRegistry(directory: string, images: string, watchdog: Watchdog): Promise<ManagedProcess> {
  const config = join(directory, 'registry.yaml');
  await cp(images, join(directory, 'registry'), { recursive: true });
  await writeFile(config, renderRegistryConfig(join(directory, 'registry'), `:${nodeFacts.registryPort}`));
  const registry = await startProcess(
    { name: 'registry', command: 'docker-registry', args: ['serve', config], logFile: join(directory, 'registry.log') },
    watchdog,
  );
  await waitUntil('registry', [registry], readyDeadlineMs, () => accepts({ host: '127.0.0.1', port: nodeFacts.registryPort }));
  return registry;
}

export interface Containerd {
  readonly process: ManagedProcess;
  readonly socket: string;
}

/** containerd 1.6 as Debian 12 has it. https://github.com/containerd/containerd/blob/release/1.6/docs/cri/config.md */
export async function startContainerd(directory: string, watchdog: Watchdog): Promise<Containerd> {
  const inside = (name: string): string => join(directory, 'containerd', name);
  const socket = inside('containerd.sock');
  const registry = `http://127.0.0.1:${nodeFacts.registryPort}`;
  const registryFolder = inside(`certs.d/${nodeFacts.registryHost}`);
  await mkdir(inside('cni'), { recursive: true });
  await mkdir(registryFolder, { recursive: true });
  await writeFile(
    join(registryFolder, 'hosts.toml'),
    // as `server` too: what the registry does not have is not looked for in the world outside
    `server = "${registry}"\n[host."${registry}"]\n  capabilities = ["pull", "resolve"]\n`,
  );
  await writeFile(inside('cni/10-pods.conflist'), JSON.stringify(podNetwork));
  await writeFile(
    inside('config.toml'),
    `version = 2
root = "${inside('root')}"
state = "${inside('state')}"
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.aufs"]
[grpc]
  address = "${socket}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true # a machine that does not let us lower it makes runc fail otherwise
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "${inside('certs.d')}"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${inside('cni')}"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia]
      runtime_type = "io.containerd.runc.v2"
`,
  );
  const containerd = await startProcess(
    { name: 'containerd', command: 'containerd', args: ['--config', inside('config.toml')], logFile: join(directory, 'containerd.log') },
    watchdog,
  );
  await waitUntil('containerd', [containerd], readyDeadlineMs, () => accepts({ path: socket }));
  return { process: containerd, socket };
}

/** https://www.cni.dev/plugins/current/main/bridge/ */
const podNetwork = {
  cniVersion: '0.4.0',
  name: 'pods',
  plugins: [
    {
      type: 'bridge',
      bridge: 'pods0',
      isGateway: true,
      ipMasq: true,
      hairpinMode: true, // a pod may reach itself through its Service
      ipam: { type: 'host-local', ranges: [[{ subnet: '10.244.0.0/24' }]], routes: [{ dst: '0.0.0.0/0' }] },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
};

function accepts(target: { readonly path: string } | { readonly host: string; readonly port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(target);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
