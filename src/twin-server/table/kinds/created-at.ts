import { nameColumn, type Column } from '../column.ts';

/** Of built-in kinds that have no columns of their own: roles, limit ranges, definitions. Source: apiserver `rest.NewDefaultTableConvertor`. */
export const createdAtColumns: readonly Column[] = [
  nameColumn,
  {
    name: 'Created At',
    type: 'date',
    format: '',
    description: '',
    priority: 0,
    cell: ({ metadata }) => metadata.creationTimestamp ?? '0001-01-01T00:00:00Z',
  },
];
