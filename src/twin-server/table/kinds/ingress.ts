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

/** Three hosts at the most; any rule after the third counts among those that are not shown. */
const printHosts = ({ spec }: KubernetesObject): string => {
  const rules = objectsOf(fieldOf(spec, 'rules')).map(({ host }) => textOf(host) ?? '');
  const named = rules.flatMap((host, index) => (host === '' ? [] : [index]));
  if (named.length === 0) return '*';
  const shown = named.slice(0, 3).map((index) => rules[index]);
  const third = named[2] ?? rules.length;
  return third < rules.length - 1 ? `${shown.join(',')} + ${rules.length - 3} more...` : shown.join(',');
};
