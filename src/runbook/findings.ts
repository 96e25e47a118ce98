import type { JsonPath } from '../kubernetes/json-pointer.ts';
import type { ExpressionFinding } from './cel/expression-finding.ts';
import { diagnose, type Diagnostic, type Finding, type TextRange } from './diagnostic.ts';
import type { YamlSource } from './yaml-source.ts';

/** Collects what is wrong with one document; each finding gets its place in the text. */
export class Findings {
  readonly diagnostics: Diagnostic[];
  private readonly source: YamlSource;

  constructor(source: YamlSource) {
    this.source = source;
    this.diagnostics = [...source.diagnostics];
  }

  atValue(path: JsonPath, finding: Finding): void {
    this.add(this.source.valueRange(path), finding);
  }

  atKey(path: JsonPath, finding: Finding): void {
    this.add(this.source.keyRange(path), finding);
  }

  /** `offset`: where the expression begins in the text value. */
  inExpression(path: JsonPath, offset: number, { start, end, message, expected, nearest }: ExpressionFinding): void {
    this.add(this.source.rangeInText(path, offset + start, offset + end), { code: 'BadExpression', message, expected, nearest });
  }

  lineOf(path: JsonPath): number {
    return diagnose('', this.source.text, this.source.valueRange(path), { code: '', message: '' }).line;
  }

  get hasErrors(): boolean {
    return this.diagnostics.some(({ severity }) => severity === 'error');
  }

  /** What YAML leaves to guessing is said once: what the guess would lead to is not said as well. */
  private add(range: TextRange, finding: Finding): void {
    const diagnostic = diagnose(this.source.file, this.source.text, range, finding);
    const guessed = this.source.diagnostics.some(({ line, column }) => line === diagnostic.line && column === diagnostic.column);
    if (!guessed) this.diagnostics.push(diagnostic);
  }
}
