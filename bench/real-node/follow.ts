import { createInterface } from 'node:readline';
import type { RealNode } from '../../test/cluster/node.ts';
import { namespace } from './hand-over.ts';

/** Calls back for each state that a watch tells, as a line of a Go template. */
export const follow = (
  node: RealNode,
  what: readonly string[],
  template: string,
  told: (line: string) => void,
): { close(): Promise<void> } => {
  const watching = node.run([
    'kubectl',
    'get',
    ...what,
    '--watch',
    `--namespace=${namespace}`,
    `--output=go-template=${template}{{"\\n"}}`,
  ]);
  createInterface({ input: watching.stdout }).on('line', told);
  return {
    async close() {
      watching.kill();
      await watching;
    },
  };
};
