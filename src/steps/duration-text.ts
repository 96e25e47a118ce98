import { z } from 'zod';

/** A duration in a step's input: `90s`, `1h30m`. Read with `parseDuration`. */
export const durationText = (description: string): z.ZodType<string> =>
  z
    .string()
    .regex(/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/, 'a duration such as 90s, 5m or 1h30m')
    .meta({ description });
