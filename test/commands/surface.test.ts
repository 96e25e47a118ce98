import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderCommandsPage } from '../../scripts/commands-page.ts';
import { describeCommands } from '../../scripts/describe-commands.ts';

const root = resolve(import.meta.dirname, '../..');
const described = await describeCommands();

const cluster = [
  '--as',
  '--as-group',
  '--cluster',
  '--context',
  '--fresh',
  '--insecure-skip-tls-verify',
  '--kubeconfig',
  '--namespace -n',
  '--request-timeout',
  '--twin',
  '--user',
];

describe('commands, arguments and flags are an interface', () => {
  it.each([
    [
      'cutover',
      ['what'],
      [
        '--client',
        '--from',
        '--no-probe',
        '--output -o',
        '--path',
        '--port',
        '--probe-image',
        '--replicas',
        '--reverse',
        '--set',
        '--to',
        '--yes -y',
        ...cluster,
      ],
    ],
    ['lint', ['path'], ['--output -o']],
    [
      'netcheck',
      ['from', 'to'],
      [
        '--before-apply',
        '--cni',
        '--diff',
        '--expect',
        '--filename -f',
        '--fix',
        '--matrix',
        '--only-from',
        '--output -o',
        '--port',
        '--protocol',
        ...cluster,
      ],
    ],
    ['plan', ['runbook'], ['--no-probe', '--output -o', '--probe-image', '--reverse', '--set', ...cluster]],
    ['run', ['runbook'], ['--no-probe', '--output -o', '--probe-image', '--reverse', '--set', '--yes -y', ...cluster]],
    ['twin:reset', ['folder'], ['--force', '--output -o']],
    ['twin:serve', ['folder'], ['--fresh', '--open', '--output -o', '--pace', '--port']],
    ['twin:status', ['folder'], ['--output -o']],
  ])('%s', (id, args, flags) => {
    const command = described.manifest.commands[id];
    expect(Object.keys(command?.args ?? {})).toEqual(args);
    const names = Object.values(command?.flags ?? {}).map(({ name, char }) => `--${name}${char === undefined ? '' : ` -${char}`}`);
    expect(names.toSorted()).toEqual(flags.toSorted());
  });

  it('these are all', () => {
    expect(Object.keys(described.manifest.commands).toSorted()).toEqual([
      'cutover',
      'lint',
      'netcheck',
      'plan',
      'run',
      'twin:reset',
      'twin:serve',
      'twin:status',
    ]);
  });

  it.each([
    ['cutover', ['json', 'jsonl']],
    ['lint', ['json']],
    ['netcheck', ['json', 'yaml', 'junit', 'dot', 'mermaid', 'markdown']],
    ['plan', ['json']],
    ['run', ['json', 'jsonl']],
  ])('formats of %s', (id, formats) => {
    const output = described.manifest.commands[id]?.flags['output'];
    expect(output?.type === 'option' ? output.options : undefined).toEqual(formats);
  });
});

it('docs/commands.md is what the commands say: npm run generate', () => {
  expect(readFileSync(join(root, 'docs/commands.md'), 'utf8')).toBe(renderCommandsPage(described));
});
