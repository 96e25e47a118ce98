import { itemsOf } from '../../../twin/api/json.ts';
import { ageColumn, integer, nameColumn, type Column } from '../column.ts';

/** Of mutating and validating ones. Source: kubernetes `pkg/printers/internalversion`, `printMutatingWebhook`. */
export const webhookConfigurationColumns: readonly Column[] = [
  nameColumn,
  integer('Webhooks', ({ webhooks }) => itemsOf(webhooks).length),
  ageColumn,
];
