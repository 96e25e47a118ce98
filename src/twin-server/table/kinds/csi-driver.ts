import { itemsOf } from '../../../twin/api/json.ts';
import { ageColumn, boolean, nameColumn, text, type Column } from '../column.ts';
import { fieldOf, objectsOf } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printCSIDriver`. */
export const csiDriverColumns: readonly Column[] = [
  nameColumn,
  boolean('AttachRequired', ({ spec }) => fieldOf(spec, 'attachRequired') !== false),
  boolean('PodInfoOnMount', ({ spec }) => fieldOf(spec, 'podInfoOnMount') === true),
  boolean('StorageCapacity', ({ spec }) => fieldOf(spec, 'storageCapacity') === true),
  text('TokenRequests', ({ spec }) => {
    const requests = fieldOf(spec, 'tokenRequests');
    return requests === undefined
      ? '<unset>'
      : objectsOf(requests)
          .map(({ audience }) => String(audience))
          .join(',');
  }),
  boolean('RequiresRepublish', ({ spec }) => fieldOf(spec, 'requiresRepublish') === true),
  text('Modes', ({ spec }) => itemsOf(fieldOf(spec, 'volumeLifecycleModes')).map(String).join(',') || '<none>'),
  ageColumn,
];
