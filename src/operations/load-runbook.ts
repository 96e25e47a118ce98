import { PoimenError } from '../errors/poimen-error.ts';
import { formatDiagnostic } from '../runbook/diagnostic.ts';
import { loadRunbook } from '../runbook/load-runbook.ts';
import type { Runbook } from '../runbook/runbook.ts';
import type { Context } from './context.ts';
import type { PlanRequest } from './plan-request.ts';
import { findRunbook } from './find-runbook.ts';

/** @throws PoimenError `RunbookInvalid` with every diagnostic; what `findRunbook` throws. */
export const loadOrRefuse = (request: PlanRequest, defaultNamespace: string, context: Context): Runbook => {
  const { file, text } = findRunbook(request.source, defaultNamespace, context);
  const loaded = loadRunbook({ file, text, set: request.set, reverse: request.reverse, namespace: defaultNamespace });
  if (loaded.kind === 'loaded') return loaded.runbook;
  throw new PoimenError({
    outcome: 'usage',
    code: 'RunbookInvalid',
    summary: `${file} cannot be used: ${loaded.diagnostics.length === 1 ? '1 problem' : `${loaded.diagnostics.length} problems`}`,
    detail: loaded.diagnostics.map((diagnostic) => formatDiagnostic(diagnostic)).join('\n'),
  });
};
