import { describe, expect, it } from 'vitest';
import { applyObjects } from '../../../src/network/before-apply/apply-objects.ts';
import { compareStates } from '../../../src/network/diff/reach-diff.ts';
import type { Inventory } from '../../../src/network/inventory/inventory.ts';
import { outsideOf } from '../../../src/network/inventory/outside.ts';
import { evaluateInventory } from '../../../src/network/matrix/network-state.ts';
import { inventoryOf, namespace, objectsIn, pod, policy, service, workload } from '../inventory/network-objects.ts';
import { linesOf } from '../diff/compare.ts';

const apply = (present: string, applied: string) => {
  const [before, file] = [inventoryOf(present), inventoryOf(applied)];
  const outside = outsideOf([...before.policies, ...file.policies]);
  const evaluate = (inventory: Inventory) => evaluateInventory(inventory, outside);
  const state = evaluate(before);
  const after = applyObjects({ objects: objectsIn(present), state, evaluate }, objectsIn(applied));
  return { state, after, diff: compareStates(state, after) };
};

const shop = [
  namespace('shop'),
  workload('shop/client'),
  workload('shop/server'),
  service('shop/front', { selector: { app: 'server' }, ports: [{ port: 80, targetPort: 8080 }] }),
].join('');
const only = (name: string, port: number) =>
  policy(`shop/${name}`, {
    podSelector: { matchLabels: { app: 'server' } },
    ingress: [{ from: [{ podSelector: {} }], ports: [{ port }] }],
  });

describe('applyObjects', () => {
  it('adds a policy to those that are there, and replaces one of its name', () => {
    expect(linesOf(apply(shop + only('guard', 80), only('second', 81)).diff.changed)).toEqual([
      'shop/client -> shop/server: TCP 81 denied -> allowed',
    ]);
    expect(linesOf(apply(shop + only('guard', 80), only('guard', 81)).diff.changed)).toEqual([
      'shop/client -> shop/server: TCP 80 allowed -> denied, TCP 81 denied -> allowed',
    ]);
  });

  it('gives, policy by policy, what a new evaluation of everything gives', () => {
    const [present, applied] = [shop + only('guard', 80), only('guard', 81) + only('second', 8080)];
    const { after } = apply(present, applied);
    const anew = inventoryOf(shop + applied);
    expect(compareStates(after, evaluateInventory(anew, outsideOf(anew.policies)))).toMatchObject({ added: [], removed: [], changed: [] });
  });

  it('lists who loses what to the first policy of a pod, the outside included', () => {
    const { diff } = apply(shop, only('guard', 8080));
    expect(diff.removed.map(({ from }) => from)).toEqual(['0.0.0.0-255.255.255.255', '::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff']);
    expect(diff.changes).toMatchObject([{ firstFor: ['shop/server[Deployment] for ingress'] }]);
  });

  it('takes the pods of a workload whose labels change for replaced', () => {
    const owner = { kind: 'Deployment', name: 'client' };
    const present = `${shop}${pod('shop/client-1', { labels: { app: 'client' }, owner })}${policy('shop/guard', {
      podSelector: { matchLabels: { app: 'server' } },
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'client' } } }], ports: [{ port: 8080 }] }],
    })}`;
    const { diff } = apply(present, workload('shop/client', { labels: { app: 'renamed' } }));
    expect(linesOf(diff.removed)).toEqual(['shop/client -> shop/server: TCP 8080 allowed -> denied']);
    expect(diff.removed[0]?.because).toEqual(['shop/client[Deployment]: label app=client -> renamed']);
  });

  it('keeps the pods of a workload of which something else changes', () => {
    const present = `${shop}${pod('shop/client-1', { labels: { app: 'client', 'pod-template-hash': '7' }, owner: { kind: 'Deployment', name: 'client' } })}`;
    expect(apply(present, workload('shop/client', { replicas: 3 })).diff).toMatchObject({
      added: [],
      removed: [],
      changed: [],
      changes: [],
    });
  });

  it('follows a Service that is applied', () => {
    const { diff } = apply(shop, service('shop/front', { selector: { app: 'nobody' }, ports: [{ port: 80, targetPort: 8080 }] }));
    expect(diff.changes).toMatchObject([{ text: 'Service shop/front: selector app=server -> app=nobody', hasEffect: true }]);
  });
});
