/** How this program was called, so that a suggested command can be pasted: npx does not put it on PATH. */
export const programName = (env: Readonly<Record<string, string | undefined>>): string =>
  env['npm_command'] === 'exec' ? 'npx poimen' : 'poimen';
