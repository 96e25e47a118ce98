import { valueAt, type JsonPath } from '../kubernetes/json-pointer.ts';
import type { Position } from '../manifests/position.ts';
import type { ParsedYaml } from '../manifests/yaml.ts';
import type { ExpressionFinding } from './cel/expression-finding.ts';
import { diagnose, type Diagnostic, type Finding } from './diagnostic.ts';
import { positionInScalar } from './scalar-position.ts';

/** Collects what is wrong with one document; each finding gets its place in the text. */
export class Findings {
  private readonly found: Diagnostic[];
  private readonly text: string;
  private readonly yaml: ParsedYaml;

  constructor(text: string, yaml: ParsedYaml) {
    this.text = text;
    this.yaml = yaml;
    // Where a text is no YAML, what is said after the first line is about the same mistake.
    const problems = yaml.value === undefined ? yaml.problems.filter(({ line }) => line === yaml.problems[0]?.line) : yaml.problems;
    this.found = problems.map((problem) => diagnose(text, problem, { code: 'Yaml', message: problem.message, hint: problem.hint }));
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.found;
  }

  get hasErrors(): boolean {
    return this.found.some(({ severity }) => severity === 'error');
  }

  atValue(path: JsonPath, finding: Finding): void {
    this.add(this.yaml.positionOf(path), finding);
  }

  atKey(path: JsonPath, finding: Finding): void {
    this.add(this.yaml.positionOf(path, 'key'), finding);
  }

  /** `offset`: where the expression begins in the text value. */
  inExpression(path: JsonPath, offset: number, { start, end, message, expected, nearest }: ExpressionFinding): void {
    const value = valueAt(this.yaml.value, path);
    const position = this.yaml.positionOf(path);
    const exact = typeof value === 'string' ? positionInScalar(this.text, position, value, offset + start, offset + end) : position;
    this.add(exact, { code: 'BadExpression', message, expected, nearest });
  }

  lineOf(path: JsonPath): number {
    return this.yaml.positionOf(path).line;
  }

  /** What YAML leaves to guessing is said once: what the guess would lead to is not said as well. */
  private add(position: Position, finding: Finding): void {
    const guessed = this.yaml.problems.some(({ line, column }) => line === position.line && column === position.column);
    if (!guessed) this.found.push(diagnose(this.text, position, finding));
  }
}
