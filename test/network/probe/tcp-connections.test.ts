import { spawnSync } from 'node:child_process';
import { connect, type AddressInfo, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readTcpConnections } from '../../../src/network/probe/tcp-connections.ts';

/** Of a pod, as the kernel wrote it. */
const sample = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 58912 1 0000000000000000 100 0 0 10 0
   1: 0A00F40A:A2C4 0A00600A:0050 01 00000000:00000000 02:00000A3B 00000000     0        0 58990 2 0000000000000000 20 4 30 10 -1
   2: 0A00F40A:A2C6 0A00600A:0050 06 00000000:00000000 03:000016E1 00000000     0        0 0 3 0000000000000000
   3: 0100007F:1F40 0100007F:B1C2 08 00000000:00000001 00:00000000 00000000  1000        0 59001 1 0000000000000000 20 4 0 10 -1
  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0000000000000000FFFF00000A00F40A:1F40 0000000000000000FFFF00000C00F40A:D431 01 00000000:00000000 00:00000000 00000000     0        0 58913 1 0000000000000000 20 4 0 10 -1
   1: 000000FD000000000000000001000000:C350 000000FD0000000000000000110A0000:1F90 01 00000000:00000000 00:00000000 00000000     0        0 58914 1 0000000000000000 20 4 0 10 -1
`;

describe('/proc/net/tcp and tcp6', () => {
  it('give the established connections, IPv4 over either kind of socket, IPv6 as Kubernetes writes it', () => {
    expect(readTcpConnections(sample)).toEqual([
      { local: { ip: '10.244.0.10', port: 41668 }, remote: { ip: '10.96.0.10', port: 80 } },
      { local: { ip: '10.244.0.10', port: 8000 }, remote: { ip: '10.244.0.12', port: 54321 } },
      { local: { ip: 'fd00::1', port: 50000 }, remote: { ip: 'fd00::a11', port: 8080 } },
    ]);
  });

  it('are read as far as the kernel wrote them', () => {
    expect(readTcpConnections('')).toEqual([]);
    expect(readTcpConnections('   1: 0A00F40A:A2C4 0A00600A:00')).toEqual([]);
    expect(readTcpConnections('   1: ZZ00F40A:A2C4 0A00600A:0050 01 x')).toEqual([]);
  });

  it.each(['127.0.0.1', '::1'])('of this machine have the connection that a test makes to %s', async (host) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const { port } = server.address() as AddressInfo;
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect(port, host);
    const [peer] = await accepted;
    onTestFinished(() => {
      client.destroy();
      peer.destroy();
      server.close();
    });
    const { stdout } = spawnSync('cat', ['/proc/net/tcp', '/proc/net/tcp6'], { encoding: 'utf8' });
    expect(readTcpConnections(stdout)).toContainEqual({
      local: { ip: host, port: (client.address() as AddressInfo).port },
      remote: { ip: host, port },
    });
  });
});
