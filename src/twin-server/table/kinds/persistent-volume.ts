import { textOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, wideText, type Column } from '../column.ts';
import { fieldOf, printAccessModes, wordOf } from '../print.ts';

/** Names the class where an older cluster wrote it. */
export const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** Source: kubernetes `pkg/printers/internalversion`, `printPersistentVolume`. */
export const persistentVolumeColumns: readonly Column[] = [
  nameColumn,
  text('Capacity', ({ spec }) => wordOf(fieldOf(spec, 'capacity', 'storage')) ?? '0'),
  text('Access Modes', ({ spec }) => printAccessModes(fieldOf(spec, 'accessModes'))),
  text('Reclaim Policy', ({ spec }) => textOf(fieldOf(spec, 'persistentVolumeReclaimPolicy')) ?? ''),
  text('Status', ({ metadata, status }) =>
    metadata.deletionTimestamp === undefined ? (textOf(fieldOf(status, 'phase')) ?? '') : 'Terminating',
  ),
  text('Claim', ({ spec }) => {
    const claim = fieldOf(spec, 'claimRef');
    return claim === undefined ? '' : `${textOf(fieldOf(claim, 'namespace')) ?? ''}/${textOf(fieldOf(claim, 'name')) ?? ''}`;
  }),
  text('StorageClass', ({ metadata, spec }) => metadata.annotations?.[classAnnotation] ?? textOf(fieldOf(spec, 'storageClassName')) ?? ''),
  text('VolumeAttributesClass', ({ spec }) => textOf(fieldOf(spec, 'volumeAttributesClassName')) ?? '<unset>'),
  text('Reason', ({ status }) => textOf(fieldOf(status, 'reason')) ?? ''),
  ageColumn,
  wideText('VolumeMode', ({ spec }) => textOf(fieldOf(spec, 'volumeMode')) ?? '<unset>'),
];
