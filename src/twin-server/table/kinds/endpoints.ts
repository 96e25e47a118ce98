import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { textOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';
import { countOf, objectsOf, printSome } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printEndpoints`. */
export const endpointsColumns: readonly Column[] = [nameColumn, text('Endpoints', (endpoints) => printEndpoints(endpoints)), ageColumn];

const printEndpoints = ({ subsets }: KubernetesObject): string => {
  const all = objectsOf(subsets);
  return all.length === 0 ? '<none>' : printSome(all.flatMap(addressesOf), '');
};

const addressesOf = ({ addresses, ports }: Readonly<Record<string, unknown>>): readonly string[] => {
  const hosts = objectsOf(addresses).map(({ ip }) => textOf(ip) ?? '');
  const numbers = objectsOf(ports).map(({ port }) => countOf(port));
  if (numbers.length === 0) return hosts;
  return numbers.flatMap((port) => hosts.map((host) => `${host.includes(':') ? `[${host}]` : host}:${port}`));
};
