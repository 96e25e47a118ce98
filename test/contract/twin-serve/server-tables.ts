import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { parse } from 'yaml';
import { isJsonObject, objectsIn, stringIn } from '../../../src/cluster/live/json.ts';
import { apiVersionOf, type Resource } from '../../../src/kubernetes/resource.ts';
import type { Table } from '../../../src/twin-server/table/table.ts';

/** Asks a real API server for tables, as kubectl does: a client of the test's own, because poimen never wants one. */
export interface TableClient {
  /** With the moments between which the server has answered. */
  list(resource: Resource, namespace?: string): Promise<{ readonly table: Table; readonly from: number; readonly to: number }>;
}

export const connectForTables = async (kubeconfig: string): Promise<TableClient> => {
  const config: unknown = parse(await readFile(kubeconfig, 'utf8'));
  if (!isJsonObject(config)) throw new Error(`${kubeconfig} is no kubeconfig`);
  const [cluster] = objectsIn(config, 'clusters').map(({ cluster: inner }) => (isJsonObject(inner) ? inner : {}));
  const [user] = objectsIn(config, 'users').map(({ user: inner }) => (isJsonObject(inner) ? inner : {}));
  const server = stringIn(cluster ?? {}, 'server') ?? '';
  const token = stringIn(user ?? {}, 'token') ?? '';
  const ca = Buffer.from(stringIn(cluster ?? {}, 'certificate-authority-data') ?? '', 'base64');
  const get = (path: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
      const sent = request(new URL(path, server), { ca, headers }, (response) => {
        response.setEncoding('utf8');
        let body = '';
        response.on('data', (chunk: string) => (body += chunk));
        response.on('end', () => resolve(JSON.parse(body)));
      });
      sent.on('error', reject);
      sent.end();
    });
  return {
    list: async (resource, namespace) => {
      const root = resource.group === '' ? '/api' : '/apis';
      const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
      const from = Date.now();
      const table = await get(`${root}/${apiVersionOf(resource)}${scope}/${resource.plural}?includeObject=Object`);
      if (!isTable(table)) throw new Error(`no table: ${JSON.stringify(table)}`);
      return { table: { ...table, rows: table.rows ?? [] }, from, to: Date.now() };
    },
  };
};

/** Of kinds without columns of their own an empty list has no rows. */
const isTable = (body: unknown): body is Omit<Table, 'rows'> & { readonly rows: Table['rows'] | null } =>
  isJsonObject(body) && body['kind'] === 'Table';
