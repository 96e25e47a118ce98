import { describe, expect, it } from 'vitest';
import { compareStates } from '../../../src/network/diff/reach-diff.ts';
import { connectionsOf, matrixOf } from '../../../src/network/matrix/matrix.ts';
import { evaluateInventory, tableOf, type NetworkState } from '../../../src/network/matrix/network-state.ts';
import { openPortsText } from '../../../src/views/netcheck/ports-text.ts';
import { inventoryOf, namespace, pod, policy, workload } from '../inventory/network-objects.ts';

const guard = (port: number): string =>
  policy('shop/guard', { podSelector: { matchLabels: { app: 'web' } }, ingress: [{ from: [{ podSelector: {} }], ports: [{ port }] }] });

type Labels = Readonly<Record<string, string>>;

const pods = (count: number, labels: (index: number) => Labels): string =>
  Array.from({ length: count }, (_, index) => pod(`shop/web-${index}`, { labels: labels(index) })).join('');

const stateOf = (...texts: readonly string[]): NetworkState => evaluateInventory(inventoryOf([namespace('shop'), ...texts].join('')), []);

const web: Labels = { app: 'web' };

const matrix = (state: NetworkState) => matrixOf(tableOf(state), []);

const lines = (state: NetworkState): readonly string[] =>
  [...connectionsOf(matrix(state))].map(({ from, to, ports }) => `${from} -> ${to} ${openPortsText(ports)}`);

/** How often the engine was asked. */
const workOf = (state: NetworkState): number => {
  let asked = 0;
  const { engine } = state;
  const counting: NetworkState = {
    ...state,
    engine: {
      ...engine,
      classes: () => engine.classes(),
      reachRow: (server, into) => {
        asked++;
        return engine.reachRow(server, into);
      },
      reachOf: (number) => {
        asked++;
        return engine.reachOf(number);
      },
    },
  };
  matrix(counting);
  return asked;
};

describe('a matrix with many bare pods', () => {
  it('has those of one namespace and equal labels as one, with what tells each alone left out', () => {
    const state = stateOf(
      guard(80),
      pods(3, (index) => ({ ...web, 'apps.kubernetes.io/pod-index': String(index) })),
      pod('shop/other', { labels: { app: 'other' } }),
    );
    expect(matrix(state).peers).toEqual([
      { id: 'shop/other[Pod]', namespace: 'shop', name: 'other', kind: 'Pod', pods: 1, templateOnly: false },
      { id: 'shop/app=web[Pod]', namespace: 'shop', name: 'app=web', kind: 'Pod', pods: 3, templateOnly: false },
    ]);
    expect(lines(state)).toEqual([
      'shop/other[Pod] -> shop/app=web[Pod] TCP 80',
      'shop/app=web[Pod] -> shop/other[Pod] all ports',
      'shop/app=web[Pod] -> shop/app=web[Pod] TCP 80',
    ]);
  });

  it('says that ports are mixed where one of them is not like the others', () => {
    const named = policy('shop/guard', { podSelector: {}, ingress: [{ ports: [{ port: 'http' }] }] });
    const state = stateOf(
      named,
      pod('shop/a', { labels: web, ports: [{ name: 'http', containerPort: 80 }] }),
      pod('shop/b', { labels: web, ports: [] }),
      workload('shop/client'),
    );
    expect(lines(state)).toContain('shop/client[Deployment] -> shop/app=web[Pod] between some pods: TCP 80');
  });

  it.each([
    ['with equal labels', () => web],
    ['each with a label of its own', (index: number) => ({ ...web, own: String(index) })],
  ] as const)('asks the engine as often for 300 of them as for 30, %s', (_, labels) => {
    const [few, many] = [stateOf(guard(80), pods(30, labels)), stateOf(guard(80), pods(300, labels))];
    expect(workOf(many)).toBe(workOf(few));
  });

  it('is the same for people, however it was put together: one row for equal clients', () => {
    const { groups } = matrix(
      stateOf(
        guard(80),
        pods(3, (index) => ({ ...web, own: String(index) })),
      ),
    );
    const ids = ['shop/web-0[Pod]', 'shop/web-1[Pod]', 'shop/web-2[Pod]'];
    expect(groups).toMatchObject([{ from: ids, to: [{ peers: ids, ports: [{ from: 80, to: 80 }] }] }]);
    expect(
      lines(
        stateOf(
          guard(80),
          pods(1, () => web),
        ),
      ),
    ).toEqual([]);
  });
});

describe('two states with many bare pods', () => {
  const state = (port: number, more = ''): NetworkState =>
    stateOf(
      guard(port),
      pods(3, () => web),
      more,
    );

  it('has a change of all as one pair', () => {
    const { changed, removed, added } = compareStates(state(80), state(81));
    expect([removed, added]).toEqual([[], []]);
    expect(changed).toMatchObject([
      { from: 'shop/app=web[Pod]', to: 'shop/app=web[Pod]', because: ['NetworkPolicy shop/guard: ingress rule 0 edited'] },
    ]);
  });

  it('names the one that changed, came or went', () => {
    const moved = (labels: Labels): string => pod('shop/moved', { labels });
    const { changes, removed } = compareStates(state(80, moved({ app: 'free' })), state(80, moved(web)));
    expect(changes).toMatchObject([{ text: 'shop/moved[Pod]: label app=free -> web', hasEffect: true }]);
    expect(removed).toEqual([]);
    const { added } = compareStates(state(80), state(80, moved(web)));
    expect(added.map(({ from, to, endChanged }) => [from, to, endChanged])).toEqual([
      ['shop/app=web[Pod]', 'shop/moved[Pod]', true],
      ['shop/moved[Pod]', 'shop/app=web[Pod]', true],
    ]);
  });
});
