import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from './command.ts';

/**
 * Puts folders of this run in place of those of the machine that kubelet, containerd and the network plugins write to whatever they are
 * told. In a mount namespace, so nobody else sees it.
 */
export async function shadowMachineFolders(directory: string): Promise<void> {
  await command('mount', '-t', 'tmpfs', 'tmpfs', '/run'); // sockets of containerd's shims, network namespaces of pods, the firewall's lock
  for (const machineFolder of ['/var/lib', '/var/log', '/srv']) {
    const own = join(directory, 'machine', machineFolder);
    await mkdir(own, { recursive: true });
    await command('mount', '--bind', own, machineFolder);
  }
  await shadowKernelSettings(join(directory, 'kernel-settings'));
}

/** What kubelet sets for the whole machine when it starts. https://pkg.go.dev/k8s.io/component-helpers/node/util/sysctl */
export const kubeletSettings = [
  'vm/overcommit_memory',
  'vm/panic_on_oom',
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/keys/root_maxkeys',
  'kernel/keys/root_maxbytes',
];

/** kubelet writes to copies. */
async function shadowKernelSettings(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const setting of kubeletSettings) {
    const copy = join(directory, setting.replaceAll('/', '.'));
    await writeFile(copy, await readFile(join('/proc/sys', setting)));
    await command('mount', '--bind', copy, join('/proc/sys', setting));
  }
}
