import { itemsOf, textOf } from '../../../twin/api/json.ts';
import { ageColumn, integer, nameColumn, text, type Column } from '../column.ts';
import { fieldOf } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printValidatingAdmissionPolicy`. */
export const validatingAdmissionPolicyColumns: readonly Column[] = [
  nameColumn,
  integer('Validations', ({ spec }) => itemsOf(fieldOf(spec, 'validations')).length),
  text('ParamKind', ({ spec }) => {
    const kind = fieldOf(spec, 'paramKind');
    return kind === undefined ? '<unset>' : `${textOf(fieldOf(kind, 'apiVersion')) ?? ''}/${textOf(fieldOf(kind, 'kind')) ?? ''}`;
  }),
  ageColumn,
];
