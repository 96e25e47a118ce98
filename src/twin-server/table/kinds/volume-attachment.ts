import { textOf } from '../../../twin/api/json.ts';
import { ageColumn, boolean, nameColumn, text, type Column } from '../column.ts';
import { fieldOf } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printVolumeAttachment`. */
export const volumeAttachmentColumns: readonly Column[] = [
  nameColumn,
  { ...text('Attacher', ({ spec }) => textOf(fieldOf(spec, 'attacher')) ?? ''), format: 'name' },
  text('PV', ({ spec }) => textOf(fieldOf(spec, 'source', 'persistentVolumeName')) ?? ''),
  text('Node', ({ spec }) => textOf(fieldOf(spec, 'nodeName')) ?? ''),
  boolean('Attached', ({ status }) => fieldOf(status, 'attached') === true),
  ageColumn,
];
