import type { KubernetesObject } from '../../kubernetes/object.ts';
import { groupOf } from '../../manifests/object-identity.ts';
import { adminNetworkPolicy, baselineAdminNetworkPolicy, clusterNetworkPolicy } from './cluster-policies.ts';
import { networkPolicy } from './network-policy.ts';
import { refuse, type Check, type Flaw } from './shape.ts';

export type { Flaw } from './shape.ts';

const checks: Readonly<Record<string, Check>> = {
  'networking.k8s.io NetworkPolicy': networkPolicy,
  'policy.networking.k8s.io ClusterNetworkPolicy': clusterNetworkPolicy,
  'policy.networking.k8s.io AdminNetworkPolicy': adminNetworkPolicy,
  'policy.networking.k8s.io BaselineAdminNetworkPolicy': baselineAdminNetworkPolicy,
};

/**
 * What an API server would not take of a policy. An object of any other kind has none. One that is refused is no part of a cluster, and
 * may have any shape: leave it out before anything is evaluated.
 */
export const flawsOf = (object: KubernetesObject): readonly Flaw[] => {
  const check = checks[`${groupOf(object.apiVersion)} ${object.kind}`];
  if (check === undefined) return [];
  const flaws: Flaw[] = [];
  check(object, [], flaws);
  checkName(object, flaws);
  return flaws;
};

export const isRefused = (flaws: readonly Flaw[]): boolean => flaws.some(({ kind }) => kind === 'refused');

const checkName = ({ kind, metadata: { name } }: KubernetesObject, flaws: Flaw[]): void => {
  if (name.length > 253 || !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name))
    refuse(
      flaws,
      ['metadata', 'name'],
      `"${name}" is not a name`,
      'a-z, 0-9, "-" and ".", beginning and ending with a letter or digit, at most 253',
    );
  if (kind === 'BaselineAdminNetworkPolicy' && name !== 'default')
    refuse(flaws, ['metadata', 'name'], `a BaselineAdminNetworkPolicy named ${name}`, 'there can be one in a cluster, named default');
};
