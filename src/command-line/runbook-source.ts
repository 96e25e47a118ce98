import type { RunbookSource } from '../operations/plan-request.ts';

/** An argument that ends in .yaml or .yml is a file, any other is a runbook's name. */
export const runbookSource = (argument: string): RunbookSource =>
  /\.ya?ml$/.test(argument) ? { kind: 'file', path: argument } : { kind: 'name', name: argument };
