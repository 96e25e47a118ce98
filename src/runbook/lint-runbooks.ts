import { expansions, stepKinds } from '../steps/registry.ts';
import { sortDiagnostics, type Diagnostic } from './diagnostic.ts';
import type { RunbookText } from './load-runbook.ts';
import { readRunbook } from './read-runbook.ts';
import type { Vocabulary } from './step-shapes.ts';

/** What can be said about runbooks without running them: inputs without a default may be unset, references may lack a namespace. */
export const lintRunbooks = (files: readonly RunbookText[], vocabulary: Vocabulary = { stepKinds, expansions }): readonly Diagnostic[] =>
  sortDiagnostics(
    files.flatMap(
      ({ file, text }) => readRunbook({ file, text, set: {}, namespace: 'default', requireInputs: false, vocabulary }).findings.diagnostics,
    ),
  );
