import { textOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printRuntimeClass`. */
export const runtimeClassColumns: readonly Column[] = [nameColumn, text('Handler', ({ handler }) => textOf(handler) ?? ''), ageColumn];
