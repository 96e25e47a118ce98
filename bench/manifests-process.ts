/** Reads a folder of manifests in one way, in a process of its own, and prints how many milliseconds of CPU it took, all threads. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { parseAllDocuments } from 'yaml';
import { loadManifests } from '../src/manifests/load-manifests.ts';

const eachFile = (folder: string, parse: (text: string) => unknown): readonly unknown[] =>
  readdirSync(folder).map((name) => parse(readFileSync(join(folder, name), 'utf8')));

const readers: Readonly<Record<string, (folder: string) => unknown>> = {
  /** Objects, identities, duplicates, problems: all that poimen needs of them. */
  poimen: async (folder) => (await loadManifests(folder)).objects,
  'js-yaml': (folder) => eachFile(folder, (text) => loadAll(text)),
  yaml: (folder) => eachFile(folder, (text) => parseAllDocuments(text).map((document): unknown => document.toJS())),
};

const [, , reader = '', folder = ''] = process.argv;
const before = process.cpuUsage();
await readers[reader]?.(folder);
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1000);
