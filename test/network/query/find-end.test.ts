import { describe, expect, it } from 'vitest';
import { PoimenError } from '../../../src/errors/poimen-error.ts';
import { parseEnd } from '../../../src/network/query/end-text.ts';
import { custom, inventoryOf, namespace, pod, service, workload } from '../inventory/network-objects.ts';
import { endOf } from './ask.ts';

const inventory = inventoryOf(
  [
    namespace('shop'),
    namespace('desk'),
    namespace('empty'),
    workload('shop/till'),
    workload('shop/web'),
    workload('desk/memo'),
    service('shop/web', { clusterIP: '10.96.0.7', selector: { app: 'web' }, ports: [{ port: 80 }] }),
    service('desk/front', { selector: { app: 'memo' }, ports: [{ port: 80 }] }),
    service('shop/lonely', { ports: [{ port: 80 }] }),
    pod('shop/lonely', { ip: '10.0.0.9' }),
    pod('shop/host', { ip: '192.0.2.1', spec: { hostNetwork: true } }),
    pod('shop/till-7d9f-x', {
      labels: { app: 'till', 'pod-template-hash': '7d9f' },
      ip: '10.0.0.1',
      owner: { kind: 'ReplicaSet', name: 'till-7d9f' },
    }),
    custom('argoproj.io/v1alpha1', 'Rollout', 'shop/canary', {
      spec: { template: { metadata: { labels: { app: 'canary' } }, spec: { containers: [{ name: 'main' }] } } },
    }),
  ].join(''),
);

const membersOf = (text: string): readonly string[] =>
  endOf(text, inventory).members.map(({ of, peer }) => `${of} ${peer.kind === 'pod' ? peer.name : ''}`.trim());

describe('FROM and TO', () => {
  it.each([
    ['deploy/till', ['shop/till[Deployment] till-7d9f-x']],
    ['deployment/till.shop', ['shop/till[Deployment] till-7d9f-x']],
    ['rs/till-7d9f', ['shop/till[Deployment] till-7d9f-x']],
    ['pod/till-7d9f-x', ['shop/till[Deployment] till-7d9f-x']],
    ['till-7d9f-x', ['shop/till[Deployment] till-7d9f-x']],
    ['till', ['shop/till[Deployment] till-7d9f-x']],
    ['memo.desk', ['desk/memo[Deployment] memo']],
    ['Deployment/memo.desk', ['desk/memo[Deployment] memo']],
    ['rollout/canary', ['shop/canary[Rollout] canary']],
    ['svc/front.desk', ['desk/memo[Deployment] memo']],
    ['ns/desk', ['desk/memo[Deployment] memo']],
    ['app=till', ['shop/till[Deployment] till-7d9f-x']],
    ['app in (till, web)', ['shop/till[Deployment] till-7d9f-x', 'shop/web[Deployment] web']],
    ['app=memo,ns=desk', ['desk/memo[Deployment] memo']],
    ['ns=desk,app', ['desk/memo[Deployment] memo']],
    ['10.0.0.1', ['shop/till[Deployment] till-7d9f-x']],
    ['10.96.0.7', ['shop/web[Deployment] web']],
    ['192.0.2.1', ['192.0.2.1']],
    ['203.0.113.0/24', ['203.0.113.0/24']],
    ['fd00::/8', ['fd00::/8']],
  ])('%s', (text, expected) => expect(membersOf(text)).toEqual(expected));

  it('as:LABELS is a pod that is not there, with just these labels', () => {
    const [member] = endOf('as:app=x,tier=a,ns=desk', inventory).members;
    expect(member?.peer).toMatchObject({ namespace: 'desk', labels: { app: 'x', tier: 'a' }, addresses: [] });
    expect(endOf('as:ns=desk', inventory).members[0]?.peer).toMatchObject({ namespace: 'desk', labels: {} });
  });

  const mistake = (text: string): [string, string, readonly string[]] => {
    try {
      endOf(text, inventory);
    } catch (error) {
      if (error instanceof PoimenError && error.outcome === 'usage') return [error.code, error.message, error.nextSteps];
      throw error;
    }
    throw new Error('it was found');
  };

  it.each([
    ['deploy/tilt', 'UnknownObject', 'TO: there is no deployment tilt in shop', ['did you mean deploy/till.shop?']],
    ['deploy/memo', 'UnknownObject', 'TO: there is no deployment memo in shop', ['did you mean deploy/memo.desk?']],
    ['svc/till', 'UnknownObject', 'TO: there is no service till in shop', ['did you mean deploy/till.shop?']],
    ['deploy/till.shopp', 'UnknownNamespace', 'TO: there is no namespace shopp', ['did you mean shop?']],
    ['ns/dsek', 'UnknownNamespace', 'TO: there is no namespace dsek', ['did you mean desk?']],
    ['ns/empty', 'NothingSelected', 'TO: namespace empty has no pods and no pod templates', []],
    [
      'app=nobody',
      'NothingSelected',
      'TO: there are no pods app=nobody in shop',
      ['for a pod that does not exist yet: as:KEY=VALUE,ns=shop'],
    ],
    ['web', 'AmbiguousName', 'TO: "web" can be svc/web.shop or deploy/web.shop', ['write which one is meant: svc/web.shop']],
    ['lonely', 'AmbiguousName', 'TO: "lonely" can be svc/lonely.shop or pod/lonely.shop', ['write which one is meant: svc/lonely.shop']],
    ['memo', 'AmbiguousName', 'TO: "memo" can be deploy/memo.desk', ['write which one is meant: deploy/memo.desk']],
    ['deplyo/till', 'UnknownKind', 'TO: "deplyo" is no kind that has connections', ['did you mean deploy/till?']],
    ['configmap/x', 'UnknownKind', 'TO: "configmap" is no kind that has connections', []],
  ])('%s: %s', (text, code, message, nextSteps) => expect(mistake(text)).toEqual([code, message, nextSteps]));

  it.each(['', 'a/b/c', '/x', 'x/', 'deploy/.shop', 'deploy/till.', 'app=a,,b', 'as:app in (a,b)', '10.0.0.0/33', '=x'])(
    '%j cannot be read',
    (text) => {
      expect(parseEnd(text).kind).toBe('error');
    },
  );
});
