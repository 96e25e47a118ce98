import { z } from 'zod';
import { answerFields } from '../steps/good-answer.ts';
import { objectNameOf } from '../steps/object-name.ts';
import { reachabilityPhases } from '../steps/reachability-phase.ts';
import { workloadKinds } from '../steps/workload.ts';

export const apiVersion = 'poimen.dev/v1alpha1';

/** What a step can be, as far as the language is concerned: a key, a sentence for the reference page, and the schema of what follows. */
export interface StepShape {
  readonly name: string;
  readonly summary: string;
  readonly input: z.ZodType;
}

/** What people are told of a field. `expects` completes "expected: ..." in a diagnostic, where the type alone would say too little. */
interface Note {
  readonly title?: string;
  readonly description: string;
  readonly expects?: string;
}

/** As `schema.meta(note)`, which would make a second schema: each one costs at start. */
const noted = <Schema extends z.ZodType>(schema: Schema, note: Note): Schema => {
  z.globalRegistry.add(schema, { ...note });
  return schema;
};

const slug = 'small letters, digits and dashes, beginning with a letter';
const slugPattern = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const identifier = 'letters, digits and underscores, beginning with a letter: expressions use it as it is';
const identifierPattern = /^[a-zA-Z][a-zA-Z0-9_]*$/;
/** Names that expressions use for something else. */
const reserved = new Set(
  'inputs as break const continue else false for function if import in let loop namespace null package prototype return true var void while bool bytes cel double dyn duration google has int list map null_type optional size string timestamp type uint matches'.split(
    ' ',
  ),
);

/** Whether expressions can call something by this name. */
export const isIdentifier = (name: string): boolean => identifierPattern.test(name) && !reserved.has(name);

const identifierOf = (description: string) =>
  noted(
    z
      .string()
      .regex(identifierPattern, { error: identifier })
      .refine(isIdentifier, { error: 'a name that expressions do not use for something else' }),
    { description },
  );

export const durationPattern = /^(?:0|(?:(?:\d+(?:\.\d+)?)(?:ms|s|m|h))+)$/;
const durationOf = (description: string) =>
  noted(z.string().regex(durationPattern, { error: 'a duration such as 90s, 5m or 1h30m' }), { description });

const slugOf = (description: string) => noted(z.string().regex(slugPattern, { error: slug }), { description });

const conditionOf = (description: string) => noted(z.string().min(1), { description, expects: 'an expression (CEL)' });

const textOf = (description: string) => noted(z.string().min(1), { description });

const inputDeclarations = () => {
  const description = noted(z.string(), { description: 'One sentence for whoever sets it.' }).optional();
  const values = <Value extends z.ZodType>(value: Value) => ({
    default: value.optional(),
    enum: noted(z.array(value).min(1), { description: 'The only values that it may have.' }).optional(),
  });
  const declaration = z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('string'), ...values(z.string()), description }),
    z.strictObject({ type: z.literal('integer'), ...values(z.int()), description }),
    z.strictObject({ type: z.literal('number'), ...values(z.number()), description }),
    z.strictObject({ type: z.literal('boolean'), default: z.boolean().optional(), description }),
    z.strictObject({ type: z.literal('duration'), default: durationOf('A duration.').optional(), description }),
  ]);
  return noted(declaration, { description: 'One input. Without a default it has to be set.' });
};

const watchSchema = () =>
  noted(
    z.strictObject({
      service: objectNameOf(['Service'], 'The Service.'),
      client: objectNameOf([...workloadKinds, 'Pod'], 'The workload from whose side it is asked.').optional(),
      to: objectNameOf(workloadKinds, 'The workload whose pods are to be behind it in the end: what `newOnly` means.').optional(),
      port: noted(z.int().min(1).max(65_535), {
        description: "The Service's port, as the client dials it. Its first, where it is not given.",
      }).optional(),
      ...answerFields,
    }),
    { description: 'The path whose reachability is recorded around every step. A `cutover` says its own.' },
  );

/** The fields of every step, whatever its kind. */
const commonStepFields = () => ({
  id: slugOf('Names the step in plans and reports. Unique in the runbook.'),
  deadline: durationOf('How long the step may take until its effect can be seen. Where it is not given, its kind says.').optional(),
  when: conditionOf('The step is skipped if this is false when its turn comes.').optional(),
  postcondition: conditionOf('Has to be true, besides what the kind itself observes, before the step counts as done.').optional(),
  expect: noted(z.enum(reachabilityPhases), {
    description:
      'What a client must find after the step: `open` (answered), `window` (nobody there), `newOnly` (answered by the new pods alone), `any`.',
  }).optional(),
});

/** The fields that a step has besides its kind. An expansion decides all but the id by itself. */
export const commonStepKeys = ['id', 'deadline', 'when', 'postcondition', 'expect'] as const satisfies readonly (keyof ReturnType<
  typeof commonStepFields
>)[];

/**
 * The language, in one schema: types, validation, JSON Schema and the reference page all come from here. It judges a runbook whose
 * `${...}` is filled in.
 */
export const runbookSchema = (shapes: readonly StepShape[]) => {
  const kinds = Object.fromEntries(shapes.map(({ name, input }) => [name, input.optional()]));
  const step = noted(z.strictObject({ ...commonStepFields(), ...kinds }), { description: 'One step: an id, and exactly one kind.' });
  const document = z.strictObject({
    apiVersion: noted(z.literal(apiVersion), { description: 'The version of the language.' }),
    kind: noted(z.literal('Runbook'), { description: 'What the file is.' }),
    metadata: noted(
      z.strictObject({
        name: slugOf('What the runbook is called in plans, reports and run names.'),
        summary: textOf('One sentence: what has happened when it is done.'),
      }),
      { description: 'What people are told of it.' },
    ),
    cluster: noted(
      z.strictObject({ uid: textOf('UID of its kube-system namespace: `kubectl get namespace kube-system -o jsonpath={.metadata.uid}`.') }),
      {
        description: 'Pins the runbook to one cluster; on any other it is refused.',
      },
    ).optional(),
    inputs: noted(z.record(identifierOf('Name of an input.'), inputDeclarations()), {
      description: 'What may differ from run to run, set with `--set NAME=VALUE`. Expressions read it as `inputs.NAME`.',
    }).optional(),
    objects: noted(z.record(identifierOf('Name of an object in this runbook.'), referenceText()), {
      description: 'The Kubernetes objects that the steps are about, by the name under which steps and expressions refer to them.',
    }).optional(),
    watch: watchSchema().optional(),
    steps: noted(z.array(step).min(1), { description: 'Carried out in the order in which they are written.' }),
  });
  return noted(document, { title: 'poimen runbook', description: 'A procedure on a Kubernetes cluster, in checked steps.' });
};

const referenceText = () =>
  noted(z.string().min(1), {
    description: 'KIND/NAME.NAMESPACE, for example deploy/clef-serve.llm-serving.',
    expects: 'KIND/NAME.NAMESPACE',
  });

export const inputTypes: readonly InputDeclaration['type'][] = ['string', 'integer', 'number', 'boolean', 'duration'];

/** A runbook as its file says it, before inputs are filled in and names looked up. */
export type RunbookDocument = z.infer<ReturnType<typeof runbookSchema>>;
export type InputDeclaration = NonNullable<RunbookDocument['inputs']>[string];
export type WatchDeclaration = NonNullable<RunbookDocument['watch']>;
