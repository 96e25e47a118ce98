import { writeFile } from 'node:fs/promises';
import { command } from './command.ts';
import { nodeFacts } from './run.ts';

/** Gives the node its address and a default route. Both ends of the pair stay in this namespace and vanish with it. */
export async function setUpNetwork(): Promise<void> {
  const { address, gateway } = nodeFacts;
  await command('ip', 'link', 'set', 'lo', 'up');
  await command('ip', 'link', 'add', 'name', 'node0', 'type', 'veth', 'peer', 'name', 'node0-peer'); // not every kernel has dummy devices
  await command('ip', 'address', 'add', `${address}/24`, 'dev', 'node0');
  for (const name of ['node0', 'node0-peer']) await command('ip', 'link', 'set', name, 'up');
  await command('ip', 'route', 'add', 'default', 'via', gateway, 'dev', 'node0'); // without one nothing finds its way to a Service
  await writeFile('/proc/sys/net/ipv4/ip_forward', '1');
  await writeFile('/proc/sys/net/bridge/bridge-nf-call-iptables', '1'); // pods share a bridge, and policies hold between them too
}
