import { z } from 'zod';
import { noteSchema, place, protocol, sourceSchema } from './schema-parts.ts';

const openVerdict = z.enum(['allowed', 'mixed', 'depends']);
const portVerdict = z.enum(['allowed', 'mixed', 'depends', 'denied']);
const port = z.int().min(1).max(65_535);
const range = { protocol, from: port, to: port };

const id = z.string().meta({ description: 'NAMESPACE/NAME[Kind], or first and last address of a range outside.' });
const dependsOn = z
  .array(z.string())
  .meta({ description: 'What no verdict takes into account: policies that are not evaluated, or could not be read.' });

const peer = z.strictObject({
  id,
  namespace: z.string().meta({ description: 'Empty for addresses.' }),
  name: z.string().meta({ description: 'Of several bare pods that are one peer, their labels: app=batch,tier=x.' }),
  kind: z.string().meta({ description: 'Addresses for a range outside.' }),
  pods: z.int().optional().meta({ description: 'Absent where it is not known.' }),
  templateOnly: z.boolean().meta({ description: 'No pod of it is there: it is judged by its template.' }),
});

export const matrixSchema = z
  .strictObject({
    kind: z.literal('matrix'),
    source: sourceSchema,
    port: z.strictObject({ protocol, port }).optional().meta({ description: 'What it was narrowed to.' }),
    peers: z.array(peer),
    connections: z
      .array(z.strictObject({ from: id, to: id, ports: z.array(z.strictObject({ ...range, verdict: openVerdict })) }))
      .meta({ description: 'A pair that is not there is denied on every port. Ports are those of the pods, behind Services.' }),
    dependsOn,
    notes: z.array(noteSchema),
  })
  .meta({ description: 'netcheck --matrix.' });

const pairs = z.array(
  z.strictObject({
    from: id,
    to: id.meta({ description: 'Or a Service, NAMESPACE/NAME[Service], by the ports that are dialled.' }),
    ports: z.array(z.strictObject({ ...range, before: portVerdict, after: portVerdict })),
    because: z.array(z.string()).meta({ description: 'The changes behind it, as `text` of `changes`.' }),
    endChanged: z.boolean().meta({ description: 'An end itself came or went: nobody shut it out.' }),
  }),
);

const diff = {
  added: pairs.meta({ description: 'Pairs that had no open port before.' }),
  removed: pairs.meta({ description: 'Pairs that have none any more.' }),
  changed: pairs.meta({ description: 'Pairs with open ports before and after, but not the same.' }),
  changes: z.array(
    z.strictObject({
      text: z.string(),
      source: place.optional(),
      hasEffect: z.boolean(),
      firstFor: z
        .array(z.string())
        .meta({ description: 'For whom it is the first policy of a direction: every port was open to them before.' }),
    }),
  ),
  dependsOn,
};

export const diffSchema = z
  .strictObject({ kind: z.literal('diff'), before: sourceSchema, after: sourceSchema, ...diff, notes: z.array(noteSchema) })
  .meta({ description: 'netcheck --diff OLD NEW.' });

export const beforeApplySchema = z
  .strictObject({ kind: z.literal('beforeApply'), source: sourceSchema, file: z.string(), ...diff, notes: z.array(noteSchema) })
  .meta({ description: 'netcheck --before-apply PATH.' });
