import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { runMark, type NodeRun } from './run.ts';

/**
 * Starts a program in network, mount and process namespaces of its own. When their first process ends, by whatever cause, the kernel ends
 * every other process in them, containers included, and with the last one the mounts, interfaces, addresses and firewall rules are gone.
 *
 * stdin and stdout of the child are the program's; what it writes to stderr goes to supervisor.log.
 */
export async function startInNamespaces(
  run: NodeRun,
  program: readonly string[],
  options: { readonly detached: boolean },
): Promise<ChildProcess> {
  const log = openSync(join(run.directory, 'supervisor.log'), 'a');
  // a shell as first process, because it also collects the exit codes of orphans, as every pod leaves some
  const reaper = 'exec 3<&0; "$@" <&3 & wait $!';
  const child = spawn(
    'unshare',
    ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', reaper, 'sh', ...program],
    {
      stdio: [options.detached ? 'ignore' : 'pipe', 'pipe', log],
      detached: true, // Ctrl-C in a terminal goes to whoever asked for the node, who then stops it
      env: { ...process.env, [runMark]: run.directory, TMPDIR: join(run.directory, 'tmp') },
    },
  );
  closeSync(log);
  await once(child, 'spawn');
  return child;
}
