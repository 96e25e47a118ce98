import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { textOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, wideText, type Column } from '../column.ts';
import { fieldOf, objectsOf } from '../print.ts';

/** Of RoleBindings and ClusterRoleBindings. Source: kubernetes `pkg/printers/internalversion`, `printRoleBinding`. */
export const roleBindingColumns: readonly Column[] = [
  nameColumn,
  text('Role', ({ roleRef }) => `${textOf(fieldOf(roleRef, 'kind')) ?? ''}/${textOf(fieldOf(roleRef, 'name')) ?? ''}`),
  ageColumn,
  wideText('Users', (binding) => printSubjects(binding, 'User')),
  wideText('Groups', (binding) => printSubjects(binding, 'Group')),
  wideText('ServiceAccounts', (binding) => printSubjects(binding, 'ServiceAccount')),
];

const printSubjects = ({ subjects }: KubernetesObject, wanted: string): string =>
  objectsOf(subjects)
    .filter(({ kind }) => kind === wanted)
    .map(({ namespace, name }) => (wanted === 'ServiceAccount' ? `${textOf(namespace) ?? ''}/${String(name)}` : String(name)))
    .join(', ');
