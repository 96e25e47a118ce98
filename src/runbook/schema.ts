import { z } from 'zod';
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

/** `expects` completes "expected: ..." in a diagnostic, where the type alone would say too little. */
const expecting = (expects: string, description: string): { readonly description: string; readonly expects: string } => ({ description, expects });

const slug = 'small letters, digits and dashes, beginning with a letter';
const slugPattern = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const identifier = 'letters, digits and underscores, beginning with a letter: expressions use it as it is';
const identifierPattern = /^[a-zA-Z][a-zA-Z0-9_]*$/;
/** Names that expressions use for something else. */
const reserved = new Set(
  'inputs as break const continue else false for function if import in let loop namespace null package prototype return true var void while bool bytes cel double dyn duration google has int list map null_type optional size string timestamp type uint matches'.split(' '),
);

/** Whether expressions can call something by this name. */
export const isIdentifier = (name: string): boolean => identifierPattern.test(name) && !reserved.has(name);

const identifierOf = (description: string) =>
  z
    .string()
    .regex(identifierPattern, { error: identifier })
    .refine(isIdentifier, { error: 'a name that expressions do not use for something else' })
    .meta({ description });

export const durationPattern = /^(?:0|(?:(?:\d+(?:\.\d+)?)(?:ms|s|m|h))+)$/;
const durationOf = (description: string) => z.string().regex(durationPattern, { error: 'a duration such as 90s, 5m or 1h30m' }).meta({ description });

const conditionOf = (description: string) => z.string().min(1).meta(expecting('an expression (CEL)', description));

const described = z.string().optional().meta({ description: 'One sentence for whoever sets it.' });

export const inputDeclarations = () =>
  z
    .discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('string'),
        default: z.string().optional(),
        enum: z.array(z.string()).min(1).optional().meta({ description: 'The only values that it may have.' }),
        description: described,
      }),
      z.strictObject({ type: z.literal('integer'), default: z.int().optional(), enum: z.array(z.int()).min(1).optional(), description: described }),
      z.strictObject({ type: z.literal('number'), default: z.number().optional(), enum: z.array(z.number()).min(1).optional(), description: described }),
      z.strictObject({ type: z.literal('boolean'), default: z.boolean().optional(), description: described }),
      z.strictObject({ type: z.literal('duration'), default: durationOf('').optional(), description: described }),
    ])
    .meta({ description: 'One input. Without a default it has to be set.' });

export const watchSchema = () =>
  z
    .strictObject({
      service: objectNameOf(['Service'], 'The Service.'),
      client: objectNameOf([...workloadKinds, 'Pod'], 'The workload from whose side it is asked.').optional(),
      to: objectNameOf(workloadKinds, 'The workload whose pods are to be behind it in the end: what `newOnly` means.').optional(),
      port: z.int().min(1).max(65_535).optional().meta({ description: "The Service's port, as the client dials it. Its first, where it is not given." }),
      path: z.string().startsWith('/').optional().meta({ description: 'HTTP path to ask for. Without it, a connection is enough.' }),
      status: z.array(z.int().min(100).max(599)).min(1).optional().meta({ description: 'Status codes that count as a good answer. 200 to 399, where it is not given.' }),
    })
    .meta({ description: 'The path whose reachability is recorded around every step. A `cutover` says its own.' });

/** The fields of every step, whatever its kind. */
const commonStepFields = () => ({
  id: z.string().regex(slugPattern, { error: slug }).meta({ description: 'Names the step in plans and reports. Unique in the runbook.' }),
  deadline: durationOf('How long the step may take until its effect can be seen. Where it is not given, its kind says.').optional(),
  when: conditionOf('The step is skipped if this is false when its turn comes.').optional(),
  postcondition: conditionOf('Has to be true, besides what the kind itself observes, before the step counts as done.').optional(),
  expect: z
    .enum(reachabilityPhases)
    .optional()
    .meta({ description: 'What a client must find after the step: `open` (answered), `window` (nobody there), `newOnly` (answered by the new pods alone), `any`.' }),
});

/** The fields that a step has besides its kind. An expansion decides all but the id by itself. */
export const commonStepKeys = ['id', 'deadline', 'when', 'postcondition', 'expect'] as const satisfies readonly (keyof ReturnType<typeof commonStepFields>)[];

/**
 * The language, in one schema: types, validation, JSON Schema and the reference page all come from here. It judges a runbook whose
 * `${...}` is filled in.
 */
export const runbookSchema = (shapes: readonly StepShape[]) => {
  const kinds = Object.fromEntries(shapes.map(({ name, input, summary }) => [name, input.optional().meta({ description: summary })]));
  return z
    .strictObject({
      apiVersion: z.literal(apiVersion).meta({ description: 'The version of the language.' }),
      kind: z.literal('Runbook'),
      metadata: z.strictObject({
        name: z.string().regex(slugPattern, { error: slug }).meta({ description: 'What the runbook is called in plans, reports and run names.' }),
        summary: z.string().min(1).meta({ description: 'One sentence: what has happened when it is done.' }),
      }),
      cluster: z
        .strictObject({ uid: z.string().min(1).meta({ description: 'UID of its kube-system namespace: `kubectl get namespace kube-system -o jsonpath={.metadata.uid}`.' }) })
        .optional()
        .meta({ description: 'Pins the runbook to one cluster; on any other it is refused.' }),
      inputs: z
        .record(identifierOf('Name of an input.'), inputDeclarations())
        .optional()
        .meta({ description: 'What may differ from run to run, set with `--set NAME=VALUE`. Expressions read it as `inputs.NAME`.' }),
      objects: z
        .record(identifierOf('Name of an object in this runbook.'), z.string().min(1).meta(expecting('KIND/NAME.NAMESPACE', 'KIND/NAME.NAMESPACE, for example deploy/clef-serve.llm-serving.')))
        .optional()
        .meta({ description: 'The Kubernetes objects that the steps are about, by the name under which steps and expressions refer to them.' }),
      watch: watchSchema().optional(),
      steps: z
        .array(z.strictObject({ ...commonStepFields(), ...kinds }).meta({ description: 'One step: an id, and exactly one kind.' }))
        .min(1)
        .meta({ description: 'Carried out in the order in which they are written.' }),
    })
    .meta({ title: 'poimen runbook', description: 'A procedure on a Kubernetes cluster, in checked steps.' });
};

export const inputTypes: readonly InputDeclaration['type'][] = ['string', 'integer', 'number', 'boolean', 'duration'];

/** A runbook as its file says it, before inputs are filled in and names looked up. */
export type RunbookDocument = z.infer<ReturnType<typeof runbookSchema>>;
export type InputDeclaration = NonNullable<RunbookDocument['inputs']>[string];
export type WatchDeclaration = NonNullable<RunbookDocument['watch']>;
