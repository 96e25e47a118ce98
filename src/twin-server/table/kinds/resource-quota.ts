import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { fieldsOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';
import { byText, fieldOf, wordOf } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printResourceQuota`. */
export const resourceQuotaColumns: readonly Column[] = [
  nameColumn,
  text('Request', (quota) => printUse(quota, (name) => !isLimit(name))),
  text('Limit', (quota) => printUse(quota, isLimit)),
  ageColumn,
];

const isLimit = (name: string): boolean => name.startsWith('limits.');

const printUse = ({ status }: KubernetesObject, isWanted: (name: string) => boolean): string => {
  const [hard, used] = [fieldsOf(fieldOf(status, 'hard')), fieldsOf(fieldOf(status, 'used'))];
  return Object.keys(hard)
    .filter(isWanted)
    .toSorted(byText)
    .map((name) => `${name}: ${wordOf(used[name]) ?? '0'}/${wordOf(hard[name]) ?? '0'}`)
    .join(', ');
};
