import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { textOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, wideText, type Column } from '../column.ts';
import { fieldOf, printAccessModes, wordOf } from '../print.ts';
import { classAnnotation } from './persistent-volume.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printPersistentVolumeClaim`. */
export const persistentVolumeClaimColumns: readonly Column[] = [
  nameColumn,
  text('Status', ({ metadata, status }) =>
    metadata.deletionTimestamp === undefined ? (textOf(fieldOf(status, 'phase')) ?? '') : 'Terminating',
  ),
  text('Volume', (claim) => volumeOf(claim)),
  text('Capacity', (claim) => (volumeOf(claim) === '' ? '' : (wordOf(fieldOf(claim, 'status', 'capacity', 'storage')) ?? '0'))),
  text('Access Modes', (claim) => (volumeOf(claim) === '' ? '' : printAccessModes(fieldOf(claim, 'status', 'accessModes')))),
  text('StorageClass', ({ metadata, spec }) => metadata.annotations?.[classAnnotation] ?? textOf(fieldOf(spec, 'storageClassName')) ?? ''),
  text('VolumeAttributesClass', ({ spec }) => textOf(fieldOf(spec, 'volumeAttributesClassName')) ?? '<unset>'),
  ageColumn,
  wideText('VolumeMode', ({ spec }) => textOf(fieldOf(spec, 'volumeMode')) ?? '<unset>'),
];

const volumeOf = ({ spec }: KubernetesObject): string => textOf(fieldOf(spec, 'volumeName')) ?? '';
