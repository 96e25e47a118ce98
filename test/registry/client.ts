import { onTestFinished } from 'vitest';
import type { Cancel, Clock } from '../../src/clock/clock.ts';
import { noCredentials } from '../../src/registry/credentials/credential.ts';
import type { HostSettings } from '../../src/registry/host-settings.ts';
import { createRegistryClient, type RegistryClient, type RegistryClientSettings } from '../../src/registry/registry-client.ts';
import type { RequestRecord } from '../../src/registry/trace.ts';
import { startRegistry, type RegistryOptions, type TestRegistry } from '../registry-server/registry-server.ts';

/** A registry that is stopped after the test. */
export const testRegistry = async (options: RegistryOptions = {}): Promise<TestRegistry> => {
  const registry = await startRegistry(options);
  onTestFinished(() => registry.stop());
  return registry;
};

/** How a test registry is reached, and nothing else said. */
export const reach = ({ host, ca }: TestRegistry, more: HostSettings = {}): [string, HostSettings] => [
  host,
  { ...(ca === undefined ? { isPlainHttp: true } : { ca }), ...more },
];

export interface TestClient extends RegistryClient {
  readonly records: readonly RequestRecord[];
}

/** Closed after the test. Nobody is logged in, unless the test says so. */
export const testClient = (hosts: readonly [string, HostSettings][], settings: Partial<RegistryClientSettings> = {}): TestClient => {
  const records: RequestRecord[] = [];
  const client = createRegistryClient({
    clock: impatientClock().clock,
    env: {},
    hosts: new Map(hosts),
    credentials: noCredentials,
    trace: (record) => records.push(record),
    ...settings,
  });
  onTestFinished(() => client.close());
  return { ...client, records };
};

/** Pauses between two tries take no time, and are written down; deadlines, which are longer, are real. */
export const impatientClock = (): { readonly clock: Clock; readonly pausesMs: readonly number[] } => {
  const pausesMs: number[] = [];
  const after = (delayMs: number, callback: () => void): Cancel => {
    if (delayMs > 10_000) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    }
    pausesMs.push(delayMs);
    const immediate = setImmediate(callback);
    return () => clearImmediate(immediate);
  };
  return { clock: { now: () => Date.now(), monotonicMs: () => performance.now(), after }, pausesMs };
};
