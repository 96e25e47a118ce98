import { z } from 'zod';

/** Of all documents that `netcheck -o json` prints. */
export const protocol = z.enum(['TCP', 'UDP', 'SCTP']);

export const place = z.string().meta({ description: 'FILE:LINE; absent for what stands in no file.' });

export const sourceSchema = z.union([
  z.strictObject({ kind: z.literal('manifests'), name: z.string() }),
  z.strictObject({ kind: z.enum(['live', 'twin']), name: z.string(), server: z.string(), user: z.string().optional() }),
]);

export const noteSchema = z.strictObject({ code: z.string(), severity: z.enum(['caution', 'information']), text: z.string() });
