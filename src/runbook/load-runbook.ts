import { createHash } from 'node:crypto';
import { isJsonObject } from '../kubernetes/json.ts';
import { parseDuration } from '../kubernetes/duration.ts';
import { valueAt } from '../kubernetes/json-pointer.ts';
import type { ObjectReference } from '../kubernetes/reference.ts';
import type { ExpandOptions } from '../steps/expansion.ts';
import { expansions, stepKinds } from '../steps/registry.ts';
import type { WatchedPath } from '../steps/watched-path.ts';
import { parseExpression } from './cel/expression.ts';
import { createCondition } from './cel/condition.ts';
import { sortDiagnostics, type Diagnostic } from './diagnostic.ts';
import { readRunbook, type ReadRunbook } from './read-runbook.ts';
import type { Condition, Runbook, RunbookStep } from './runbook.ts';
import type { RunbookDocument, WatchDeclaration } from './schema.ts';
import { objectFields, type Vocabulary } from './step-shapes.ts';

export interface RunbookText {
  /** What diagnostics call it. */
  readonly file: string;
  readonly text: string;
}

export interface LoadRequest extends RunbookText {
  /** Values of inputs, as `--set` has them. */
  readonly set: Readonly<Record<string, string>>;
  /** The way back: `from` and `to` of every `cutover` change sides. */
  readonly reverse: boolean;
  /** For references that say none. Absent: they are refused. */
  readonly namespace?: string;
  /** Default: every kind there is. */
  readonly vocabulary?: Vocabulary;
}

export type LoadedRunbook =
  | { readonly kind: 'loaded'; readonly runbook: Runbook; readonly document: RunbookDocument; readonly warnings: readonly Diagnostic[] }
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] };

/** Turns a runbook's text into what the engine runs, or says everything that is wrong with it. Reads nothing but its arguments. */
export const loadRunbook = (request: LoadRequest): LoadedRunbook => {
  const vocabulary = request.vocabulary ?? { stepKinds, expansions };
  const read = readRunbook({ ...request, vocabulary, requireInputs: true });
  const { findings, document } = read;
  if (findings.hasErrors || document === undefined) return { kind: 'invalid', diagnostics: sortDiagnostics(findings.diagnostics) };

  const builder = new Builder(read, document, vocabulary, request.reverse);
  const runbook = builder.build(hashOf(request));
  if (findings.hasErrors) return { kind: 'invalid', diagnostics: sortDiagnostics(findings.diagnostics) };
  return { kind: 'loaded', runbook, document, warnings: sortDiagnostics(findings.diagnostics) };
};

/** Two runs with the same hash were asked to do the same. */
const hashOf = ({ text, set, reverse, namespace }: LoadRequest): string => {
  const asked = [text, Object.entries(set).toSorted(([a], [b]) => (a < b ? -1 : 1)), reverse, namespace ?? null];
  return `sha256:${createHash('sha256').update(JSON.stringify(asked)).digest('hex')}`;
};

type StepDocument = RunbookDocument['steps'][number];

/** Puts together what has been checked. What is still found here is about the steps as a whole. */
class Builder {
  private readonly read: ReadRunbook;
  private readonly document: RunbookDocument;
  private readonly vocabulary: Vocabulary;
  private readonly options: ExpandOptions;
  private readonly references: ReadonlyMap<string, ObjectReference>;
  private watched: WatchedPath | undefined;

  constructor(read: ReadRunbook, document: RunbookDocument, vocabulary: Vocabulary, reverse: boolean) {
    this.read = read;
    this.document = document;
    this.vocabulary = vocabulary;
    this.options = { reverse };
    this.references = new Map([...read.objects].flatMap(([name, { reference }]) => (reference === undefined ? [] : [[name, reference]])));
  }

  build(hash: string): Runbook {
    const { metadata, cluster, watch } = this.document;
    if (watch !== undefined) this.watched = this.watchedPath(watch);
    const steps = this.document.steps.flatMap((step, index) => this.buildStep(step, index));
    this.checkExpectations();
    if (this.options.reverse && !this.document.steps.some((step) => this.expansionOf(step) !== undefined)) {
      this.read.findings.atKey(['steps'], {
        code: 'NoWayBack',
        message: 'no step of this runbook has a way back: --reverse turns `cutover` around',
        expected: 'a runbook of its own for the way back',
      });
    }
    return {
      name: metadata.name,
      summary: metadata.summary,
      hash,
      objects: Object.fromEntries(this.references),
      steps,
      ...(cluster === undefined ? {} : { clusterUid: cluster.uid }),
      ...(this.watched === undefined ? {} : { watched: this.watched }),
    };
  }

  private buildStep(step: StepDocument, index: number): readonly RunbookStep[] {
    const expansion = this.expansionOf(step);
    if (expansion !== undefined) {
      const input = this.resolveNames(expansion, valueAt(step, [expansion.name]));
      this.watched ??= expansion.watched?.(input, this.options);
      return expansion
        .expand(step.id, input, this.options)
        .map(({ deadlineMs, ...expanded }) => ({ ...expanded, deadlineMs: deadlineMs ?? expanded.kind.defaultDeadlineMs }));
    }
    const kind = this.vocabulary.stepKinds.find(({ name }) => Object.hasOwn(step, name));
    if (kind === undefined) return [];
    const input = this.resolveNames(kind, valueAt(step, [kind.name]));
    if (this.options.reverse && kind.access(input).writes.length > 0) {
      this.read.findings.atKey(['steps', index, kind.name], {
        code: 'NoWayBack',
        message: `'${step.id}' changes something and has no way back: --reverse turns only \`cutover\` around`,
        expected: 'a runbook of its own for the way back',
      });
    }
    return [
      {
        id: step.id,
        kind,
        input,
        deadlineMs: (step.deadline === undefined ? undefined : parseDuration(step.deadline)) ?? kind.defaultDeadlineMs,
        ...(step.when === undefined ? {} : { when: this.conditionOf(step.when) }),
        ...(step.postcondition === undefined ? {} : { postcondition: this.conditionOf(step.postcondition) }),
        ...(step.expect === undefined ? {} : { reachability: step.expect }),
      },
    ];
  }

  private expansionOf(step: StepDocument): Vocabulary['expansions'][number] | undefined {
    return this.vocabulary.expansions.find(({ name }) => Object.hasOwn(step, name));
  }

  private conditionOf(source: string): Condition {
    const scope = this.read.conditions();
    const parsed = parseExpression(scope, source);
    if (parsed.kind === 'finding') throw new Error(`checked before, and now: ${parsed.finding.message}`);
    return createCondition(parsed.expression, scope, this.read.inputs.variable, this.references);
  }

  private watchedPath({ service, client, to, ...rest }: WatchDeclaration): WatchedPath | undefined {
    const reference = this.references.get(service);
    const named = (name: string | undefined): ObjectReference | undefined => (name === undefined ? undefined : this.references.get(name));
    return reference === undefined ? undefined : { service: reference, client: named(client), to: named(to), ...rest };
  }

  private resolveNames(shape: Parameters<typeof objectFields>[0], input: unknown): object {
    if (!isJsonObject(input)) throw new Error('the schema let an input through that is no mapping');
    const fields = objectFields(shape);
    return Object.fromEntries(
      Object.entries(input).map(([field, value]) => [
        field,
        fields.has(field) && typeof value === 'string' ? this.references.get(value) : value,
      ]),
    );
  }

  private checkExpectations(): void {
    if (this.watched !== undefined) return;
    for (const [index, step] of this.document.steps.entries()) {
      if (step.expect === undefined) continue;
      this.read.findings.atKey(['steps', index, 'expect'], {
        code: 'NothingWatched',
        message: 'the runbook does not say whose reachability is meant',
        expected: "'watch' at the top, or a 'cutover' step",
      });
    }
  }
}
