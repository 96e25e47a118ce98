import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SelectionCache, type ObjectChange } from '../../src/cluster/selection-cache.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { pod } from './objects.ts';

const names = (cache: SelectionCache): readonly string[] =>
  [...cache.items.values()].map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
const cacheOf = (resourceVersion: string, ...items: KubernetesObject[]): SelectionCache => {
  const cache = new SelectionCache();
  cache.mergeList({ items, resourceVersion });
  return cache;
};

describe('SelectionCache', () => {
  it('tells that an object is gone when a later list lacks it', () => {
    const cache = cacheOf('10', pod('a', '8'), pod('b', '9'));
    expect(cache.mergeList({ items: [pod('b', '9')], resourceVersion: '12' })).toEqual([{ type: 'DELETED', object: pod('a', '8') }]);
  });

  it('tells nothing of an event that it knows already', () => {
    expect(cacheOf('10', pod('a', '8')).mergeEvent({ type: 'ADDED', object: pod('a', '8') })).toEqual([]);
  });

  it('does not go back to an older version of an object', () => {
    const cache = cacheOf('10', pod('a', '8'));
    expect(cache.mergeEvent({ type: 'MODIFIED', object: pod('a', '7') })).toEqual([]);
    expect(names(cache)).toEqual(['a@8']);
  });

  it('compares versions as numbers, not as text', () => {
    const cache = cacheOf('99', pod('a', '99'));
    cache.mergeEvent({ type: 'MODIFIED', object: pod('a', '100') });
    expect(names(cache)).toEqual(['a@100']);
  });

  it('does not bring back what is gone when an old event is repeated', () => {
    const cache = cacheOf('10', pod('a', '8'));
    cache.mergeEvent({ type: 'DELETED', object: pod('a', '11') });
    expect(cache.mergeEvent({ type: 'MODIFIED', object: pod('a', '9') })).toEqual([]);
    expect(names(cache)).toEqual([]);
  });

  it('does not bring back what went while a list was on its way', () => {
    const cache = cacheOf('10', pod('a', '8'));
    cache.mergeEvent({ type: 'DELETED', object: pod('a', '12') });
    expect(cache.mergeList({ items: [pod('a', '8')], resourceVersion: '11' })).toEqual([]);
  });

  it('keeps what was created while a list was on its way', () => {
    const cache = cacheOf('10');
    cache.mergeEvent({ type: 'ADDED', object: pod('a', '12') });
    expect(cache.mergeList({ items: [], resourceVersion: '11' })).toEqual([]);
    expect(names(cache)).toEqual(['a@12']);
  });

  it('takes from a newer list what the watch never told', () => {
    const cache = cacheOf('10');
    expect(cache.mergeList({ items: [pod('a', '9')], resourceVersion: '11' })).toEqual([{ type: 'ADDED', object: pod('a', '9') }]);
  });

  it('tells that the former one is gone when another one has its name', () => {
    const cache = cacheOf('10', pod('a', '8', 'uid-1'));
    expect(cache.mergeList({ items: [pod('a', '11', 'uid-2')], resourceVersion: '12' })).toEqual([
      { type: 'DELETED', object: pod('a', '8', 'uid-1') },
      { type: 'ADDED', object: pod('a', '11', 'uid-2') },
    ]);
  });

  it('does not take the deletion of a former object for that of its successor', () => {
    const cache = cacheOf('20', pod('a', '15', 'uid-2'));
    expect(cache.mergeEvent({ type: 'DELETED', object: pod('a', '12', 'uid-1') })).toEqual([]);
  });

  it("believes a DELETED event that carries the object's last version, as old servers send it", () => {
    expect(cacheOf('10', pod('a', '8')).mergeEvent({ type: 'DELETED', object: pod('a', '8') })).toEqual([
      { type: 'DELETED', object: pod('a', '8') },
    ]);
  });

  it('moves its version forward only', () => {
    const cache = cacheOf('10');
    cache.moveTo('12');
    cache.moveTo('11');
    expect(cache.resourceVersion).toBe('12');
  });

  it('is right in the end, whatever is repeated, late or cut off, and tells no more and no less than happened', () => {
    expect(() => fc.assert(fc.property(history, deliveries, agreesWithTheTruth))).not.toThrow();
  });
});

/** Each step touches one of three names: created, changed, or deleted. */
const history = fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c'), deletes: fc.boolean() }), { minLength: 1, maxLength: 30 });
/** At each delivery the server has got `ahead` steps further. It sends the events from `back` before the last known on, or a list that left `back` steps ago. */
const deliveries = fc.array(fc.record({ ahead: fc.nat(5), back: fc.nat(6), isList: fc.boolean() }), { maxLength: 20 });

const agreesWithTheTruth = (
  steps: readonly { name: string; deletes: boolean }[],
  sent: readonly { ahead: number; back: number; isList: boolean }[],
): void => {
  const log: ObjectChange[] = [];
  const states: ReadonlyMap<string, KubernetesObject>[] = [new Map()];
  for (const [index, { name, deletes }] of steps.entries()) {
    const state = new Map(states.at(-1));
    const known = state.get(name);
    const uid = known?.metadata.uid ?? `uid-${index}`;
    const object = pod(name, String(index + 1), uid);
    if (known !== undefined && deletes) state.delete(name);
    else state.set(name, object);
    log.push({ type: known === undefined ? 'ADDED' : deletes ? 'DELETED' : 'MODIFIED', object });
    states.push(state);
  }

  const cache = new SelectionCache();
  const replica = new Map<string, KubernetesObject>();
  const apply = (changes: readonly ObjectChange[]): void => {
    for (const { type, object } of changes) {
      const known = replica.get(object.metadata.name);
      if (type === 'ADDED') expect(known).toBeUndefined();
      else expect(known?.metadata.uid).toBe(object.metadata.uid);
      if (type === 'MODIFIED') expect(Number(object.metadata.resourceVersion)).toBeGreaterThan(Number(known?.metadata.resourceVersion));
      if (type === 'DELETED') replica.delete(object.metadata.name);
      else replica.set(object.metadata.name, object);
    }
  };
  const sendList = (version: number): void =>
    apply(cache.mergeList({ items: [...(states[version]?.values() ?? [])], resourceVersion: String(version) }));

  let reached = 0;
  sendList(0);
  for (const { ahead, back, isList } of sent) {
    const from = Math.max(0, reached - back);
    reached = Math.min(log.length, reached + ahead);
    for (const event of log.slice(from, reached)) apply(cache.mergeEvent(event));
    if (isList) sendList(Math.max(0, reached - back));
    const truth = [...(states[reached]?.values() ?? [])].map(({ metadata }) => metadata).toSorted(byName);
    expect([...cache.items.values()].map(({ metadata }) => metadata).toSorted(byName)).toEqual(truth);
    expect([...replica.values()].map(({ metadata }) => metadata).toSorted(byName)).toEqual(truth);
  }
};

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => a.name.localeCompare(b.name);
