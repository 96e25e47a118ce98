import { textOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';
import { fieldOf } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printIngressClass`. */
export const ingressClassColumns: readonly Column[] = [
  nameColumn,
  text('Controller', ({ spec }) => textOf(fieldOf(spec, 'controller')) ?? ''),
  text('Parameters', ({ spec }) => {
    const parameters = fieldOf(spec, 'parameters');
    if (parameters === undefined) return '<none>';
    const group = textOf(fieldOf(parameters, 'apiGroup'));
    return `${textOf(fieldOf(parameters, 'kind')) ?? ''}${group === undefined ? '' : `.${group}`}/${textOf(fieldOf(parameters, 'name')) ?? ''}`;
  }),
  ageColumn,
];
