/**
 * Runs beside a real node as a process of its own. Reads stdin until its owner closes it or dies, then cleans up; `dismiss` before that
 * means that the node is to stay. Usage: watchdog-process.ts RUN-DIRECTORY
 */
import { text } from 'node:stream/consumers';
import { cleanUpRun } from './clean-up.ts';
import { runAt } from './run.ts';

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('usage: watchdog-process.ts RUN-DIRECTORY');
if ((await text(process.stdin)) !== 'dismiss') await cleanUpRun(runAt(directory));
