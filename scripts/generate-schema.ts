import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runbookJsonSchema } from '../src/runbook/json-schema.ts';
import { runbookReference } from '../src/runbook/reference-page.ts';
import { netcheckJsonSchema } from '../src/views/netcheck/json-schema.ts';
import { expansions, stepKinds } from '../src/steps/registry.ts';

/** What is generated from schemas: path in the repository, and text. A test fails when a committed file differs. */
export const generatedFiles = (root: string): ReadonlyMap<string, string> => {
  const vocabulary = { stepKinds, expansions };
  return new Map([
    ['schemas/runbook.v1alpha1.json', `${JSON.stringify(runbookJsonSchema(vocabulary), undefined, 2)}\n`],
    ['schemas/netcheck.v1.json', `${JSON.stringify(netcheckJsonSchema(), undefined, 2)}\n`],
    ['docs/runbook-reference.md', runbookReference(vocabulary, readFileSync(join(root, 'runbooks/clef.yaml'), 'utf8'))],
  ]);
};

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..');
  for (const [path, text] of generatedFiles(root)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
