import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/clock/virtual-clock.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { createStore, type MemoryStore } from '../../../src/twin/api/memory-store.ts';
import { recover } from '../../../src/twin/state/recover.ts';
import type { Snapshot } from '../../../src/twin/state/snapshot.ts';
import { TwinState } from '../../../src/twin/state/twin-state.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const beginning = Date.UTC(2026, 0, 1);

/** A store with its state on disk, as `openTwin` puts them together. */
interface Remembering {
  readonly clock: VirtualClock;
  readonly store: MemoryStore;
  readonly state: TwinState;
}

const open = (directory: string, begin: 'anew' | 'where it was'): Remembering => {
  const state = TwinState.open(directory);
  const remembered = begin === 'anew' ? undefined : state.read();
  const clock = new VirtualClock(remembered?.timeMs ?? beginning);
  const store = createStore(clock, remembered === undefined ? {} : { restored: remembered });
  state.start(
    {
      version: () => store.version,
      timeMs: () => clock.now(),
      snapshot: () => ({
        format: 1,
        folder: 'test',
        manifests: [],
        version: store.version,
        timeMs: clock.now(),
        objects: store.everything(),
      }),
    },
    remembered === undefined ? 'anew' : 'where it was',
  );
  store.onCommit((commit) => state.record(commit));
  return { clock, store, state };
};

const peek = (directory: string): Snapshot | undefined => {
  const state = TwinState.open(directory);
  try {
    return state.read();
  } finally {
    state.close();
  }
};

type Contents = Readonly<Record<string, unknown>>;

const contentsOf = (objects: Snapshot['objects']): Contents =>
  Object.fromEntries(
    objects.filter(({ resource }) => resource.plural === 'configmaps').map(({ object }) => [object.metadata.name, object['data']]),
  );

const put = (store: MemoryStore, name: string, value: string): void => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { value } };
  const reference = { resource: resources.configMaps, namespace: 'default', name };
  if (store.get(reference) === undefined) store.create(resources.configMaps, object);
  else store.update(resources.configMaps, object);
};

const remove = (store: MemoryStore, name: string): void => {
  const reference = { resource: resources.configMaps, namespace: 'default', name };
  if (store.get(reference) !== undefined) store.delete(reference);
};

test('what was synced is there after a crash, with versions and time', () => {
  const directory = temporaryFolder();
  const first = open(directory, 'anew');
  put(first.store, 'a', '1');
  first.clock.fastForward(0);
  first.state.sync();
  const { version } = first.store;
  rmSync(join(directory, 'lock')); // as if the process had died
  const second = open(directory, 'where it was');
  expect(contentsOf(second.store.everything())).toEqual({ a: { value: '1' } });
  expect(second.store.version).toBe(version);
  put(second.store, 'b', '2');
  expect(Number(second.store.get({ resource: resources.configMaps, namespace: 'default', name: 'b' })?.metadata.resourceVersion)).toBe(
    version + 1,
  );
  second.state.close();
});

test('a close writes what nobody had asked for yet, and how late it is', () => {
  const directory = temporaryFolder();
  const first = open(directory, 'anew');
  put(first.store, 'a', '1');
  first.state.close();
  const second = open(directory, 'where it was');
  second.clock.schedule(90_000, () => undefined);
  second.clock.fastForward(100_000);
  second.state.close();
  const snapshot = peek(directory);
  expect(snapshot?.timeMs).toBe(beginning + 90_000);
  expect(contentsOf(snapshot?.objects ?? [])).toEqual({ a: { value: '1' } });
});

test('time goes on even when nothing else happened', () => {
  const directory = temporaryFolder();
  const { clock, state } = open(directory, 'anew');
  clock.schedule(5_000, () => undefined);
  clock.fastForward(5_000);
  state.close();
  expect(peek(directory)?.timeMs).toBe(beginning + 5_000);
});

test('whatever byte of the log a crash ends at, a prefix of the answered writes is left and none before it is missing', () => {
  const directory = temporaryFolder();
  const { store, state } = open(directory, 'anew');
  const log = join(directory, 'log');
  const answered: { readonly bytes: number; readonly contents: Contents }[] = [{ bytes: 0, contents: {} }];
  const answer = (write: () => void): void => {
    write();
    state.sync();
    answered.push({ bytes: readFileSync(log).length, contents: contentsOf(store.everything()) });
  };
  answer(() => put(store, 'a', 'one'));
  answer(() => {
    put(store, 'b', 'two');
    put(store, 'a', 'two');
  });
  answer(() => remove(store, 'a'));
  answer(() => put(store, 'a', 'three – ü'));
  state.close();
  const [snapshot, whole] = [readFileSync(join(directory, 'snapshot')), readFileSync(log)];
  for (let bytes = 0; bytes <= whole.length; bytes++) {
    const recovery = recover(snapshot, whole.subarray(0, bytes));
    const expected = answered.findLast((each) => each.bytes <= bytes);
    expect(recovery, `cut at ${bytes}`).toMatchObject({ kind: 'recovered', logBytes: expected?.bytes });
    expect(recovery.kind === 'recovered' && contentsOf(recovery.snapshot.objects), `cut at ${bytes}`).toEqual(expected?.contents);
  }
});

test('after a torn write the next one is appended where the whole ones end', () => {
  const directory = temporaryFolder();
  const first = open(directory, 'anew');
  put(first.store, 'a', '1');
  first.state.sync();
  put(first.store, 'b', '2');
  first.state.close();
  const log = join(directory, 'log');
  truncateSync(log, readFileSync(log).length - 1);
  const second = open(directory, 'where it was');
  put(second.store, 'c', '3');
  second.state.close();
  expect(contentsOf(peek(directory)?.objects ?? [])).toEqual({ a: { value: '1' }, c: { value: '3' } });
});

test('any sequence of writes, crashes and restarts leaves what was answered', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const action = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), name, value: fc.string({ maxLength: 400 }) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), name }) },
    { weight: 4, arbitrary: fc.constant({ kind: 'answer' as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), torn: fc.nat({ max: 200 }) }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  );
  const directory = temporaryFolder();
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      let current = open(directory, 'anew');
      let answered: Map<string, string> = new Map();
      let written: Map<string, string> = new Map();
      for (const step of actions) {
        if (step.kind === 'put') {
          put(current.store, step.name, step.value);
          written.set(step.name, step.value);
        } else if (step.kind === 'remove') {
          remove(current.store, step.name);
          written.delete(step.name);
        } else if (step.kind === 'answer') {
          current.state.sync();
          answered = new Map(written);
        } else {
          if (step.kind === 'restart') {
            current.state.close();
            answered = new Map(written);
          } else {
            // The process is gone, and of what it was writing some bytes are on disk.
            rmSync(join(directory, 'lock'));
            writeFileSync(join(directory, 'log'), Buffer.concat([readFileSync(join(directory, 'log')), Buffer.alloc(step.torn, 'x')]));
            written = new Map(answered);
          }
          current = open(directory, 'where it was');
        }
      }
      current.state.sync();
      const stored = contentsOf(current.store.everything());
      expect(stored).toEqual(Object.fromEntries([...written].map(([key, value]) => [key, { value }])));
      rmSync(join(directory, 'lock'));
    }),
    { numRuns: 60 },
  );
});

test('a long log is folded into the snapshot, and a crash between the two steps of that changes nothing', () => {
  const directory = temporaryFolder();
  const { store, state } = open(directory, 'anew');
  const filler = 'x'.repeat(100_000);
  for (let round = 0; round < 15; round++) {
    put(store, 'big', `${round}${filler}`);
    const logBefore = readFileSync(join(directory, 'log'));
    state.sync();
    if (readFileSync(join(directory, 'log')).length >= logBefore.length) continue;
    // Folded just now. Had the process died before it emptied the log:
    const recovery = recover(readFileSync(join(directory, 'snapshot')), logBefore);
    expect(recovery.kind === 'recovered' && contentsOf(recovery.snapshot.objects)).toEqual({ big: { value: `${round}${filler}` } });
  }
  expect(readFileSync(join(directory, 'log')).length).toBeLessThan(1024 * 1024);
  state.close();
  expect(contentsOf(peek(directory)?.objects ?? [])).toEqual({ big: { value: `14${filler}` } });
});

test('a state that began anew keeps nothing of the one before, even if that had gone further', () => {
  const directory = temporaryFolder();
  const first = open(directory, 'anew');
  for (let round = 0; round < 50; round++) put(first.store, 'old', String(round));
  first.state.close();
  const second = open(directory, 'anew');
  put(second.store, 'new', '1');
  second.state.close();
  expect(contentsOf(peek(directory)?.objects ?? [])).toEqual({ new: { value: '1' } });
});

test('a log that is broken in its middle is reported, not read over', () => {
  const directory = temporaryFolder();
  const { store, state } = open(directory, 'anew');
  for (const value of ['1', '2']) {
    put(store, 'a', value);
    state.sync();
  }
  state.close();
  const log = readFileSync(join(directory, 'log'));
  log.writeUInt8(log.readUInt8(20) ^ 1, 20);
  writeFileSync(join(directory, 'log'), log);
  expect(() => peek(directory)).toThrow(
    expect.objectContaining({ code: 'TwinStateDamaged', nextSteps: [expect.stringContaining('--fresh')] }),
  );
});

test('once somebody else has the lock, nothing is written and nothing is accepted', () => {
  const directory = temporaryFolder();
  const { store, state } = open(directory, 'anew');
  rmSync(join(directory, 'lock'));
  const thief = TwinState.open(directory);
  put(store, 'a', '1');
  const refusal = expect.objectContaining({ code: 'TwinStateNotWritten', detail: 'another process has taken the lock' });
  expect(() => state.sync()).toThrow(refusal);
  expect(() => state.sync()).toThrow(refusal);
  state.close();
  expect(contentsOf(thief.read()?.objects ?? [])).toEqual({});
  thief.close();
});

test('a folder that cannot be made is named', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  expect(() => TwinState.open(join(folder, 'file', 'state'))).toThrow(
    expect.objectContaining({ outcome: 'refused', code: 'TwinStateNotWritable', nextSteps: [expect.stringContaining('XDG_STATE_HOME')] }),
  );
});

test('on a full disk the write is refused and what was answered before stays', () => {
  const directory = temporaryFolder();
  const first = open(directory, 'anew');
  put(first.store, 'a', '1');
  first.state.close();
  const source = join(import.meta.dirname, '../../../src');
  const program = `
    import { VirtualClock } from '${source}/clock/virtual-clock.ts';
    import { resources } from '${source}/kubernetes/resource.ts';
    import { createStore } from '${source}/twin/api/memory-store.ts';
    import { TwinState } from '${source}/twin/state/twin-state.ts';
    const state = TwinState.open(${JSON.stringify(directory)});
    const restored = state.read();
    const clock = new VirtualClock(restored.timeMs);
    const store = createStore(clock, { restored });
    state.start({ version: () => store.version, timeMs: () => clock.now(), snapshot: () => { throw new Error('not now'); } }, 'where it was');
    store.onCommit((commit) => state.record(commit));
    store.create(resources.configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'big', namespace: 'default' }, data: { value: 'x'.repeat(200_000) } });
    try { state.sync(); } catch (error) { console.log(error.code, error.detail); }
    state.close();`;
  // No file may grow beyond 64 KiB: what a full disk answers to a write, without filling one.
  const child = spawnSync('bash', ['-c', 'ulimit -f 64; exec "$0" --input-type=module -e "$1"', process.execPath, program], {
    encoding: 'utf8',
  });
  expect(child.stderr).toBe('');
  expect(child.stdout).toMatch(/^TwinStateNotWritten EFBIG/);
  const copy = temporaryFolder();
  cpSync(directory, copy, { recursive: true });
  expect(contentsOf(peek(copy)?.objects ?? [])).toEqual({ a: { value: '1' } });
  expect(readFileSync(join(directory, 'log')).length).toBeLessThan(64 * 1024);
});

test('a state folder may be a link', () => {
  const folder = temporaryFolder();
  const real = temporaryFolder();
  symlinkSync(real, join(folder, 'link'));
  open(join(folder, 'link'), 'anew').state.close();
  expect(peek(real)).toBeDefined();
});
