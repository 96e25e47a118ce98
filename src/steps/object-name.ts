import { z } from 'zod';

declare const objectName: unique symbol;

/** In a step's input: the name of an entry of the runbook's `objects`. Becomes a reference when the runbook is loaded. */
export type ObjectName = string & { readonly [objectName]: true };

/** Kinds, in Kubernetes' spelling, that an object of this name may have. */
export interface ObjectNameMeta {
  readonly objectKinds: readonly string[];
}

/** The schema of a field that names one of the runbook's objects. `kinds` limits what it may be. */
export const objectNameOf = (kinds: readonly string[], description: string): z.ZodType<ObjectName> =>
  z.string().min(1).meta({ description, objectKinds: kinds }) as unknown as z.ZodType<ObjectName>;
