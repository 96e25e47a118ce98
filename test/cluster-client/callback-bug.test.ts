import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '../../src');

/** In a process of its own, which the bug is to end. */
const program = `
import { ListWatch } from '${source}/cluster/list-watch.ts';
import { systemClock } from '${source}/clock/system-clock.ts';
const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', resourceVersion: '6' } };
const cluster = {
  list: async () => ({ items: [], resourceVersion: '5' }),
  async *watch() { yield { type: 'ADDED', object }; },
};
const selection = { resource: { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true } };
const changed = ({ type }) => { if (type === 'ADDED') throw new TypeError('a bug in a callback'); };
await new ListWatch({ cluster, clock: systemClock, selection, changed }).start();
setTimeout(() => process.exit(0), 5_000);
`;

it('a bug in a callback of a watch is not swallowed', () => {
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('TypeError: a bug in a callback\n    at ');
});
