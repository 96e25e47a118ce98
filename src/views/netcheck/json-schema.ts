import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../kubernetes/json.ts';
import { beforeApplySchema, diffSchema, matrixSchema } from './reach-schema.ts';
import { noteSchema, place, protocol, sourceSchema } from './schema-parts.ts';

/*
 * What `netcheck -o json` prints, for whoever reads it: published as schemas/netcheck.v1.json. Tests hold the documents against it, key by
 * key. The command does not load this.
 */

const verdict = z.enum(['allowed', 'denied', 'depends']);
const anyVerdict = z.enum(['allowed', 'denied', 'depends', 'mixed']);

const policy = z.strictObject({
  kind: z.string(),
  policy: z.string().meta({ description: 'NAMESPACE/NAME, or the bare name of a cluster-wide one.' }),
  says: z.enum(['allows', 'denies', 'passes', 'none', 'depends']),
  source: place.optional(),
  rules: z.array(z.strictObject({ rule: z.int(), matches: z.enum(['yes', 'no', 'unknown']), why: z.string(), source: place.optional() })),
});

const half = z
  .strictObject({
    verdict,
    policy: z.string().optional(),
    rule: z.int().optional(),
    source: place.optional(),
    reason: z.string(),
    dependsOn: z.array(z.string()),
    policies: z.array(policy).meta({ description: 'Every policy that selects the pod and speaks of the direction.' }),
  })
  .meta({ description: "What the policies of one end say: egress the client's, ingress the server's." });

const party = z.strictObject({ id: z.string(), pods: z.array(z.string()), templateOnly: z.boolean() });

const path = z.strictObject({
  verdict,
  client: party,
  server: party,
  port: z.int().meta({ description: "On the server's pod: after the Service's translation." }),
  protocol,
  egress: half,
  translation: z.strictObject({ verdict, reason: z.string() }).optional(),
  ingress: half,
});

const change = z.strictObject({
  half: z.enum(['egress', 'ingress']),
  kind: z.enum(['newRule', 'newPort', 'newPolicy']),
  policy: z.string(),
  source: place.optional(),
  rule: z.looseObject({}),
  index: z.int(),
  manifest: z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata: z.looseObject({ name: z.string() }) }),
  cautions: z.array(z.string()),
});

const query = z
  .strictObject({
    kind: z.literal('query'),
    source: sourceSchema,
    verdict: anyVerdict,
    from: z.string(),
    to: z.string(),
    port: z.int().meta({ description: 'As the client dials it.' }),
    protocol,
    service: z
      .strictObject({
        name: z.string(),
        namespace: z.string(),
        type: z.string(),
        clusterIP: z.string().optional(),
        port: z.int(),
        targetPort: z.union([z.int(), z.string()]).optional(),
        source: place.optional(),
      })
      .optional(),
    egress: half.optional(),
    ingress: half.optional(),
    paths: z.array(path).meta({ description: 'One for each pair of workloads, or of pods that policies tell apart.' }),
    notes: z.array(noteSchema),
    expectation: z.strictObject({ expected: z.enum(['allowed', 'denied']), met: z.boolean() }).optional(),
    fix: z.strictObject({ changes: z.array(change), opens: z.boolean(), obstacles: z.array(z.string()) }).optional(),
  })
  .meta({ description: 'netcheck FROM TO. `egress` and `ingress` are those of the path that decides.' });

const onlyFrom = z
  .strictObject({
    kind: z.literal('onlyFrom'),
    source: sourceSchema,
    verdict: z.enum(['yes', 'no', 'depends']),
    only: z.array(z.string()),
    to: z.string(),
    port: z.int(),
    protocol,
    meant: z.array(z.strictObject({ client: z.string(), verdict: anyVerdict, reason: z.string() })),
    others: z.array(
      z.strictObject({
        client: z.string(),
        hypothetical: z.boolean(),
        verdict: z.enum(['allowed', 'depends']),
        policy: z.string().optional(),
        rule: z.int().optional(),
        source: place.optional(),
        reason: z.string(),
      }),
    ),
    cannotExclude: z.array(z.string()),
    notes: z.array(noteSchema),
  })
  .meta({ description: 'netcheck --only-from FROM TO.' });

/** One document of each kind. */
export const netcheckDocument = z.discriminatedUnion('kind', [query, onlyFrom, matrixSchema, diffSchema, beforeApplySchema]);

export const netcheckJsonSchema = (): JsonObject => {
  const generated: unknown = z.toJSONSchema(netcheckDocument, {
    target: 'draft-2020-12',
    override({ jsonSchema }) {
      // Bounds of what can be held exactly.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  if (!isJsonObject(generated)) throw new Error('a JSON Schema is an object');
  return generated;
};
