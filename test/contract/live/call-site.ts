import type { Exchange } from './fault-proxy.ts';

/** In whose order a hand-over goes: `old` and `new` change places on the way back. */
export interface Direction {
  readonly namespace: string;
  readonly from: string;
  readonly to: string;
}

/**
 * What a request of a hand-over is for, the same in every run: `list pods`, `watch services named front`, `patch deployments FROM`,
 * `record: first entry`. Names of this run's own are left out.
 */
export const callSiteOf = ({ method, url, body }: Exchange, { namespace, from, to }: Direction): string => {
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const afterVersion = parts.slice(parts[0] === 'api' ? 2 : 3);
  const scoped = afterVersion[0] === 'namespaces' && afterVersion.length > 2;
  const [plural = '', name] = scoped ? afterVersion.slice(2) : afterVersion;
  const role = (text: string): string =>
    text
      .replaceAll(new RegExp(`\\b${from}\\b`, 'g'), 'FROM')
      .replaceAll(new RegExp(`\\b${to}\\b`, 'g'), 'TO')
      .replaceAll(namespace, 'NS');
  if (plural === 'selfsubjectaccessreviews') return 'ask for access';
  if (plural === 'configmaps' && method === 'POST') {
    const entry = /"name":"poimen-run-[^"]*-(\d{5})"/.exec(body)?.[1];
    return entry === undefined ? 'record: head' : entry === '00001' ? 'record: first entry' : 'record: a later entry';
  }
  if (plural === 'configmaps' && method === 'PATCH') return 'record: end';
  if (plural === 'configmaps' && name !== undefined) return 'record: read back';
  if (name !== undefined) return `${method === 'GET' ? 'read back' : method.toLowerCase()} ${plural} ${role(name)}`;
  const selectors = ['labelSelector', 'fieldSelector'].flatMap((key) => url.searchParams.get(key) ?? []);
  const where = `${scoped ? '' : ' everywhere'}${selectors.map((selector) => ` ${role(selector)}`).join('')}`;
  return `${url.searchParams.has('watch') ? 'watch' : 'list'} ${plural}${where}`;
};
