import { unpaced, type Pace } from '../clock/virtual-clock.ts';
import type { Terminal } from '../terminal/terminal.ts';

const timesFaster = 60;
const longestMs = 4000;

/** For a person who watches: a minute of the twin's takes a second, a cold start never more than four. A pipe waits for nothing. */
export const paceFor = (terminal: Terminal): Pace =>
  terminal.stderr.isTerminal ? (virtualMs) => Math.min(longestMs, virtualMs / timesFaster) : unpaced;
