import { relative, resolve, sep } from 'node:path';
import type { JsonPath } from '../../kubernetes/json-pointer.ts';
import type { ManifestProblem } from '../position.ts';
import type { ParsedYaml } from '../yaml.ts';

/** One kustomization while it is built. */
export interface BuildContext {
  readonly folder: string;
  /** The kustomization's own text, for positions. */
  readonly yaml: ParsedYaml;
  /** This folder and those whose kustomizations led here, absolute. */
  readonly ancestors: readonly string[];
  report(problem: ManifestProblem): void;
}

/** Reports a problem with a field of the kustomization. */
export const complain = (context: BuildContext, path: JsonPath, message: string, hint: string): void =>
  context.report({ ...context.yaml.positionOf(path), message, hint });

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** kustomize reads single files below the kustomization's folder only; folders may be anywhere. */
export const isInside = (folder: string, path: string): boolean => {
  const way = relative(resolve(folder), resolve(path));
  return way !== '..' && !way.startsWith(`..${sep}`);
};
