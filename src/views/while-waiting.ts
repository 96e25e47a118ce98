import type { Clock } from '../clock/clock.ts';
import type { Output } from '../terminal/terminal.ts';

const patienceMs = 1000;

/** EL: erases the line that the cursor is in. Source: ECMA-48, section 8.3.41. */
const eraseLine = '\r\u001b[2K';

/** On a terminal, says what is being waited for when it takes longer than a second; the line is gone afterwards. */
export const whileWaiting = async <T>(work: Promise<T>, text: string, output: Output, clock: Clock): Promise<T> => {
  if (!output.isTerminal) return work;
  let shown = false;
  const cancel = clock.after(patienceMs, () => {
    shown = true;
    output.write(output.style.faint(text));
  });
  try {
    return await work;
  } finally {
    cancel();
    if (shown) output.write(eraseLine);
  }
};
