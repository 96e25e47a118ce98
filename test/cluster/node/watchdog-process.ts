/** Runs beside a real node as a process of its own: reads stdin until its owner is done or dead, then cleans up. Usage: watchdog-process.ts RUN-DIRECTORY */
import { cleanUpRun } from './clean-up.ts';
import { runAt } from './run.ts';

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('usage: watchdog-process.ts RUN-DIRECTORY');
for await (const _ of process.stdin);
await cleanUpRun(runAt(directory));
