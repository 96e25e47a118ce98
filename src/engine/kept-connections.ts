import type { ClientConnections, Prober, TcpConnection } from '../cluster/prober.ts';
import { isHeadless } from '../kubernetes/service.ts';
import { shortName } from '../kubernetes/reference.ts';
import { observePath } from '../steps/path.ts';
import type { WatchedPath } from '../steps/watched-path.ts';
import type { Observation } from './observation.ts';

export interface KeptConnectionsOptions {
  readonly watched: WatchedPath;
  readonly observation: Observation;
  readonly prober: Prober;
  readonly signal: AbortSignal;
}

/**
 * Finds the connections of the client that outlive a hand-over: a Service's proxy moves new connections only (kubernetes#100698).
 *
 * A connection is one to the old side if it goes to the address of a pod that was behind the Service before, or to the Service's own
 * address and was there before the new pods were.
 */
export class KeptConnections {
  private readonly options: KeptConnectionsOptions;
  /** Addresses of pods that were behind the Service, with their names. */
  private readonly oldPods = new Map<string, string>();
  /** To the Service's own address, seen while nobody new was behind it. */
  private readonly before = new Set<string>();
  private looking: Promise<void> = Promise.resolve();

  constructor(options: KeptConnectionsOptions) {
    this.options = options;
  }

  /** Looks at what the client has now, while the run goes on. Called as long as the new side is not selected. */
  look(): void {
    const { watched, observation } = this.options;
    if (this.isNewSideBehind()) return;
    for (const { address, podName } of observePath(watched, observation).backends) this.oldPods.set(address, podName ?? address);
    this.looking = this.lookAfter(this.looking);
  }

  private async lookAfter(earlier: Promise<void>): Promise<void> {
    await earlier;
    const seen = await this.connections();
    if (!this.isNewSideBehind()) this.remember(seen); // else one of these may have been made since
  }

  /** In words, for a warning; undefined when there are none, or when it cannot be seen. */
  async find(): Promise<string | undefined> {
    await this.looking;
    const now = await this.connections();
    if (now === undefined) return undefined;
    const toPods = now.connections.filter(({ remote }) => this.oldPods.has(remote.ip));
    const toService = now.connections.filter((connection) => this.before.has(keyOf(now.pod, connection)));
    const count = toPods.length + toService.length;
    if (count === 0) return undefined;
    const peers = [
      ...new Set(toPods.map(({ remote }) => `${this.oldPods.get(remote.ip) ?? ''} at ${remote.ip}`)),
      ...(toService.length === 0 ? [] : [`the old side of ${shortName(this.options.watched.service)}, made before the switch`]),
    ];
    return (
      `${count} ${count === 1 ? 'connection' : 'connections'} of ${now.pod} ${count === 1 ? 'is' : 'are'} still established to ${peers.join(', ')}: ` +
      'a Service moves new connections only, so close them in the client, or restart it'
    );
  }

  private isNewSideBehind(): boolean {
    const { backends, newPods } = observePath(this.options.watched, this.options.observation);
    return backends.some(({ uid }) => newPods.has(uid));
  }

  private remember(seen: ClientConnections | undefined): void {
    const { watched, observation } = this.options;
    const { service, port } = observePath(watched, observation);
    if (seen === undefined || service === undefined || isHeadless(service)) return;
    const addresses = new Set([service.spec.clusterIP, ...(service.spec.clusterIPs ?? [])]);
    for (const connection of seen.connections) {
      const { ip, port: dialled } = connection.remote;
      if (addresses.has(ip) && dialled === port) this.before.add(keyOf(seen.pod, connection));
    }
  }

  /** What cannot be seen stands in nobody's way. */
  private async connections(): Promise<ClientConnections | undefined> {
    const { watched, prober, signal } = this.options;
    if (watched.client === undefined) return undefined;
    return await prober.connections?.(watched.client, signal).catch(() => undefined);
  }
}

const keyOf = (pod: string, { local, remote }: TcpConnection): string => `${pod} ${local.ip} ${local.port} ${remote.ip} ${remote.port}`;
