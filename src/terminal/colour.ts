/**
 * Whether to write colours, as people have agreed to say it: NO_COLOR (any text) turns them off, FORCE_COLOR on (`0` and
 * `false`: off) even in a pipe; otherwise a terminal that is not `dumb` gets them.
 *
 * Source: no-color.org, force-color.org.
 */
export const wantsColour = (env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean => {
  const force = env['FORCE_COLOR'];
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  return isTerminal && env['TERM'] !== 'dumb';
};
