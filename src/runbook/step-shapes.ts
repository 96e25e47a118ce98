import type { Expansion } from '../steps/expansion.ts';
import type { StepKind } from '../steps/step-kind.ts';
import { metaOf, shapeOf } from './schema-at.ts';
import type { StepShape } from './schema.ts';

/** What a step's key can stand for. Passed in, so that the language does not depend on which kinds there are. */
export interface Vocabulary {
  readonly stepKinds: readonly StepKind<object, unknown>[];
  readonly expansions: readonly Expansion<object>[];
}

export const stepShapes = ({ stepKinds, expansions }: Vocabulary): readonly StepShape[] => [...expansions, ...stepKinds];

/** The fields of a shape's input that name objects, with the kinds that each of them takes. */
export const objectFields = (shape: Pick<StepShape, 'input'>): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(shapeOf(shape.input) ?? {}).flatMap(([field, schema]) => {
      const { objectKinds } = metaOf(schema);
      return isNames(objectKinds) ? [[field, objectKinds]] : [];
    }),
  );

const isNames = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');
