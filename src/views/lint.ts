import type { LintResult } from '../operations/lint.ts';
import { formatDiagnostic } from '../runbook/diagnostic.ts';
import { printableText } from '../terminal/printable.ts';
import type { Style } from '../terminal/style.ts';
import { count } from './text.ts';

/** Every finding with its place, and how many there are. */
export const renderLint = (result: LintResult, style: Style): string => {
  const texts = result.diagnostics.map((diagnostic) => `${printableText(formatDiagnostic(diagnostic))}\n`);
  return [...texts, `${summary(result, style)}\n`].join('\n');
};

const summary = ({ files, diagnostics }: LintResult, style: Style): string => {
  const where = `in ${count(files.length, 'file')}`;
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  if (diagnostics.length === 0) return style.good(`no mistakes ${where}`);
  const found = [...(errors > 0 ? [count(errors, 'error')] : []), ...(warnings > 0 ? [count(warnings, 'warning')] : [])].join(', ');
  return errors > 0 ? style.bad(`${found} ${where}`) : style.caution(`${found} ${where}`);
};
