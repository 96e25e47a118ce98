import { toolOf, programNames } from './tools.ts';
import type { FoundProgram, Tool } from './tool.ts';

/** How each program is made to say what it is: by its version where it tells that, else by its usage. */
const questions: Readonly<Record<string, readonly string[]>> = {
  curl: ['curl', '-q', '--version'],
  wget: ['wget', '--help'],
  nc: ['nc', '-h'],
  ncat: ['ncat', '--version'],
  python3: ['python3', '--version'],
  python: ['python', '--version'],
  node: ['node', '--version'],
};

/** bash is made to open a connection to a port of its own on which nobody listens: some builds cannot. */
const askBash = `bash --version; LC_ALL=C bash -c 'exec 3<>/dev/tcp/127.0.0.1/1'`;

const longestAbout = 4000;

/**
 * A shell script that looks for all programs at once. For each that is there: a line with the marker, its name and its path, and then
 * what it says about itself.
 */
export const discoveryScript = (marker: string): string =>
  programNames
    .map((name) => {
      const ask = name === 'bash' ? askBash : (questions[name] ?? []).join(' ');
      return `p=$(command -v ${name}) && { printf '\\n%s %s %s\\n' ${marker} ${name} "$p"; { ${ask}; } </dev/null 2>&1; }`;
    })
    .concat(':')
    .join('\n');

/** What the script has printed. */
export const readDiscovery = (marker: string, text: string): readonly FoundProgram[] =>
  text
    .split(`\n${marker} `)
    .slice(1)
    .flatMap((section) => {
      const [head = '', ...about] = section.split('\n');
      const [, name, path] = /^(\S+) (.+)$/.exec(head) ?? [];
      return name === undefined || path === undefined ? [] : [{ name, path, about: about.join('\n').slice(0, longestAbout) }];
    });

/** For a container without a shell: the programs that can be started as they are, and how they are asked what they are. */
export const shellless: readonly { readonly name: string; readonly command: readonly string[] }[] = [
  'curl',
  'python3',
  'python',
  'node',
].map((name) => ({ name, command: questions[name] ?? [] }));

/** What can ask, the best first. */
export const toolsIn = (found: readonly FoundProgram[]): readonly Tool[] => {
  const byName = new Map(found.map((program) => [program.name, program]));
  return programNames.flatMap((name) => {
    const program = byName.get(name);
    return (program === undefined ? undefined : toolOf(program)) ?? [];
  });
};
