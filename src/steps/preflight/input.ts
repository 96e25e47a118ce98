import { z } from 'zod';
import { objectNameOf } from '../object-name.ts';
import type { Input } from '../step-kind.ts';
import { workloadKinds } from '../workload.ts';

export const preflightInput = z.strictObject({
  service: objectNameOf(['Service'], 'The Service that is handed over.'),
  from: objectNameOf(workloadKinds, 'The workload behind it now.'),
  to: objectNameOf(workloadKinds, 'The workload that is to be behind it.'),
  client: objectNameOf([...workloadKinds, 'Pod'], 'Who uses the Service.').optional(),
  port: z.int().min(1).max(65_535).optional().meta({ description: "The Service's port that the client dials. Default: its first." }),
  replicas: z.int().positive().default(1).meta({ description: 'How many pods `to` is to have.' }),
  selector: z
    .record(z.string().min(1), z.string())
    .optional()
    .meta({ description: 'The whole new selector. Default: the matchLabels of `to`.' }),
});

export type PreflightRaw = z.infer<typeof preflightInput>;
export type PreflightInput = Input<PreflightRaw>;
