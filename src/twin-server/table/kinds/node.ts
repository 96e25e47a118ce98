import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { textOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, wideText, type Column } from '../column.ts';
import { byText, fieldOf, objectsOf, orElse } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printNode`. */
export const nodeColumns: readonly Column[] = [
  nameColumn,
  text('Status', ({ spec, status }) => {
    const ready = objectsOf(fieldOf(status, 'conditions')).find(({ type }) => type === 'Ready');
    const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
    return fieldOf(spec, 'unschedulable') === true ? `${word},SchedulingDisabled` : word;
  }),
  text('Roles', (node) => rolesOf(node).join(',') || '<none>'),
  ageColumn,
  text('Version', (node) => textOf(fieldOf(node, 'status', 'nodeInfo', 'kubeletVersion')) ?? ''),
  wideText('Internal-IP', (node) => addressOf(node, 'InternalIP')),
  wideText('External-IP', (node) => addressOf(node, 'ExternalIP')),
  wideText('OS-Image', (node) => orElse(fieldOf(node, 'status', 'nodeInfo', 'osImage'), '<unknown>')),
  wideText('Kernel-Version', (node) => orElse(fieldOf(node, 'status', 'nodeInfo', 'kernelVersion'), '<unknown>')),
  wideText('Container-Runtime', (node) => orElse(fieldOf(node, 'status', 'nodeInfo', 'containerRuntimeVersion'), '<unknown>')),
];

const addressOf = ({ status }: KubernetesObject, type: string): string =>
  textOf(objectsOf(fieldOf(status, 'addresses')).find((address) => address.type === type)?.address) ?? '<none>';

const rolePrefix = 'node-role.kubernetes.io/';

const rolesOf = ({ metadata }: KubernetesObject): readonly string[] => {
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)];
    return key === 'kubernetes.io/role' ? [value] : [];
  });
  return [...new Set(roles.filter((role) => role !== ''))].toSorted(byText);
};
