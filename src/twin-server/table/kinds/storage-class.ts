import { textOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';

const defaultMarks = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

/** Source: kubernetes `pkg/printers/internalversion`, `printStorageClass`. */
export const storageClassColumns: readonly Column[] = [
  {
    ...nameColumn,
    cell: ({ metadata }) =>
      defaultMarks.some((mark) => metadata.annotations?.[mark] === 'true') ? `${metadata.name} (default)` : metadata.name,
  },
  text('Provisioner', ({ provisioner }) => textOf(provisioner) ?? ''),
  text('ReclaimPolicy', ({ reclaimPolicy }) => textOf(reclaimPolicy) ?? 'Delete'),
  text('VolumeBindingMode', ({ volumeBindingMode }) => textOf(volumeBindingMode) ?? 'Immediate'),
  text('AllowVolumeExpansion', ({ allowVolumeExpansion }) => allowVolumeExpansion === true),
  ageColumn,
];
