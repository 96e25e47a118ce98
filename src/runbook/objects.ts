import type { JsonPath } from '../kubernetes/json-pointer.ts';
import { parseReference } from '../kubernetes/parse-reference.ts';
import type { ObjectReference } from '../kubernetes/reference.ts';
import { resources } from '../kubernetes/resource.ts';
import { fillIn, type FillInContext } from './fill-in.ts';
import type { Finding } from './diagnostic.ts';
import { nearestName } from '../errors/nearest-name.ts';

/** An entry of `objects`. Without a reference where the file does not say which object it is: an input is not set, or it is wrong. */
export interface DeclaredObject {
  readonly reference?: ObjectReference;
}

/** Reads the entries of `objects` that are text; `undefined` as namespace refuses references that say none. */
export const readObjects = (
  declarations: Readonly<Record<string, unknown>>,
  namespace: string | undefined,
  context: FillInContext,
): ReadonlyMap<string, DeclaredObject> =>
  new Map(
    Object.entries(declarations).map(([name, text]) => {
      const path: JsonPath = ['objects', name];
      const { value, standIns } = fillIn(text, path, context);
      if (typeof value !== 'string' || standIns.length > 0) return [name, {}];
      const parsed = parseReference(value, namespace === undefined ? {} : { namespace });
      if (parsed.kind === 'reference') return [name, { reference: parsed.reference }];
      context.findings.atValue(path, unknownKind(value) ?? { code: 'BadReference', message: parsed.message });
      return [name, {}];
    }),
  );

/** Where the text before the slash is no kind. */
const unknownKind = (text: string): Finding | undefined => {
  const [kind = '', ...rest] = text.split('/');
  if (rest.length === 0 || parseReference(`${kind}/name`, { namespace: 'any' }).kind === 'reference') return undefined;
  const nearest = nearestName(
    kind,
    Object.values(resources).map((resource) => resource.kind.toLowerCase()),
  );
  return {
    code: 'BadReference',
    message: `there is no kind '${kind}' that poimen knows`,
    expected: 'KIND/NAME.NAMESPACE, such as deploy/clef-serve.llm-serving',
    nearest,
  };
};
