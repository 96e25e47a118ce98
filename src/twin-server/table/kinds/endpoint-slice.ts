import { itemsOf, textOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';
import { objectsOf, printSome, wordOf } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printEndpointSlice`. */
export const endpointSliceColumns: readonly Column[] = [
  nameColumn,
  text('AddressType', ({ addressType }) => textOf(addressType) ?? ''),
  text('Ports', ({ ports }) =>
    printSome(
      objectsOf(ports).map(({ port, name }) => wordOf(port) ?? textOf(name) ?? '*'),
      '<unset>',
    ),
  ),
  text('Endpoints', ({ endpoints }) =>
    printSome(
      objectsOf(endpoints).flatMap(({ addresses }) => itemsOf(addresses).map(String)),
      '<unset>',
    ),
  ),
  ageColumn,
];
