import { isJsonObject } from '../../kubernetes/json.ts';

/** The types of the Kubernetes API, as the client library knows them: which fields each has, and of what type those are. */
export interface KnownTypes {
  /** The type of a kind: `V1Deployment`; `undefined` for one that is not built in. */
  typeOf(kind: { readonly group: string; readonly version: string; readonly kind: string }): string | undefined;
  /** Field names and their types, in the library's notation (`Array<V1Container>`); `undefined` for what has no fields. */
  fieldsOf(type: string): ReadonlyMap<string, string> | undefined;
}

/** Loads them all, which takes a quarter of a second: only a server needs them. They are of the library's version of Kubernetes, 1.36. */
export const loadKnownTypes = async (): Promise<KnownTypes> => {
  const models: Readonly<Record<string, unknown>> = await import('@kubernetes/client-node/dist/gen/models/all.js');
  const known = new Map<string, ReadonlyMap<string, string>>();
  return {
    typeOf: ({ group, version, kind }) => {
      const plain = `${version.slice(0, 1).toUpperCase()}${version.slice(1)}${kind}`;
      return [plain, `${group === '' ? 'Core' : upperFirst(group.split('.')[0] ?? '')}${plain}`].find((name) => name in models);
    },
    fieldsOf: (type) => {
      const found = known.get(type) ?? readFields(models[type]);
      if (found !== undefined) known.set(type, found);
      return found;
    },
  };
};

const upperFirst = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const readFields = (model: unknown): ReadonlyMap<string, string> | undefined => {
  if (typeof model !== 'function' || !('attributeTypeMap' in model) || !Array.isArray(model.attributeTypeMap)) return undefined;
  return new Map(
    model.attributeTypeMap.flatMap((attribute: unknown): readonly (readonly [string, string])[] =>
      isJsonObject(attribute) ? [[String(attribute['baseName']), String(attribute['type'])]] : [],
    ),
  );
};
