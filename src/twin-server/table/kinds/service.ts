import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { itemsOf, textOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, wideText, type Column } from '../column.ts';
import { countOf, fieldOf, objectsOf, printIngressPoints, printLabels } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printService`. */
export const serviceColumns: readonly Column[] = [
  nameColumn,
  text('Type', ({ spec }) => textOf(fieldOf(spec, 'type')) ?? ''),
  text('Cluster-IP', ({ spec }) => textOf(itemsOf(fieldOf(spec, 'clusterIPs'))[0]) ?? '<none>'),
  text('External-IP', (service) => externalAddressOf(service)),
  text('Port(s)', ({ spec }) => objectsOf(fieldOf(spec, 'ports')).map(printPort).join(',') || '<none>'),
  ageColumn,
  wideText('Selector', ({ spec }) => printLabels(fieldOf(spec, 'selector'))),
];

const printPort = ({ port, nodePort, protocol }: Readonly<Record<string, unknown>>): string =>
  `${countOf(port)}${countOf(nodePort) > 0 ? `:${countOf(nodePort)}` : ''}/${textOf(protocol) ?? ''}`;

const externalAddressOf = ({ spec, status }: KubernetesObject): string => {
  const external = itemsOf(fieldOf(spec, 'externalIPs')).map(String);
  switch (fieldOf(spec, 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>';
    case 'LoadBalancer': {
      const given = printIngressPoints(fieldOf(status, 'loadBalancer'));
      return [...(given === '' ? [] : [given]), ...external].join(',') || '<pending>';
    }
    case 'ExternalName':
      return textOf(fieldOf(spec, 'externalName')) ?? '';
    default:
      return '<unknown>';
  }
};
