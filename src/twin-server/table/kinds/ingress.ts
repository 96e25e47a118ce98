import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { itemsOf, textOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';
import { fieldOf, objectsOf, printIngressPoints } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printIngress`. */
export const ingressColumns: readonly Column[] = [
  nameColumn,
  text('Class', ({ spec }) => textOf(fieldOf(spec, 'ingressClassName')) ?? '<none>'),
  text('Hosts', (ingress) => printHosts(ingress)),
  text('Address', ({ status }) => printIngressPoints(fieldOf(status, 'loadBalancer'))),
  text('Ports', ({ spec }) => (itemsOf(fieldOf(spec, 'tls')).length === 0 ? '80' : '80, 443')),
  ageColumn,
];

/** A rule without a host counts among the others that are not shown, but only once three are. */
const printHosts = ({ spec }: KubernetesObject): string => {
  const rules = objectsOf(fieldOf(spec, 'rules'));
  const hosts = rules.map(({ host }) => textOf(host) ?? '').filter((host) => host !== '');
  const third = hosts[2] === undefined ? rules.length : rules.findIndex(({ host }) => host === hosts[2]);
  if (hosts.length === 0) return '*';
  const shown = hosts.slice(0, 3).join(',');
  return third < rules.length - 1 ? `${shown} + ${rules.length - 3} more...` : shown;
};
