/** Hands over once on a fresh twin; prints the CPU milliseconds from the finished plan to the result. */
import { createProcessContext } from '../src/command-line/process-context.ts';
import { planRunbook } from '../src/operations/plan-runbook.ts';

const [, , stateFolder] = process.argv;
const context = { ...createProcessContext(), env: { XDG_STATE_HOME: stateFolder } };
const planned = await planRunbook(
  {
    source: { kind: 'name', name: 'clef' },
    cluster: { twin: `${context.packageDirectory}/examples/llm-serving`, fresh: true },
    set: {},
    reverse: false,
    probe: true,
    invocation: ['poimen', 'run', 'clef'],
  },
  context,
);
const before = process.cpuUsage();
const result = await planned.run(() => undefined, new AbortController().signal);
const { user, system } = process.cpuUsage(before);
await planned.close();
if (result.outcome !== 'completed') throw new Error(`${result.outcome}: ${JSON.stringify(result.failure)}`);
console.log(((user + system) / 1_000).toFixed(3));
