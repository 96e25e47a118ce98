import { itemsOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printServiceAccount`. */
export const serviceAccountColumns: readonly Column[] = [nameColumn, text('Secrets', ({ secrets }) => itemsOf(secrets).length), ageColumn];
