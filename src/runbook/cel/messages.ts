import { Duration, type Environment } from '@marcbachmann/cel-js/evaluator';
import { isJsonArray, isJsonObject } from '../../kubernetes/json.ts';
import type { Fields, FieldType } from './fields.ts';

/** The types that an environment knows by name, with their fields, for messages that name the nearest one. */
export type KnownFields = Map<string, ReadonlyMap<string, string>>;

interface FieldCodec {
  /** As CEL writes it: `list<Pod.spec.containers>`. */
  readonly celType: string;
  /** From JSON. `undefined`: absent, and without a default. */
  decode(json: unknown): unknown;
}

export interface MessageCodec {
  decode(json: unknown): CelMessage;
  /** Of this type, with no field at all: stands for an object that does not exist. */
  absent(): CelMessage;
}

/** A value of a type with fields: what it has is its own. */
export class CelMessage {
  constructor(fields: object) {
    Object.defineProperties(this, Object.getOwnPropertyDescriptors(fields));
  }

  /** Stands for an object that does not exist. */
  get isAbsent(): boolean {
    return Object.keys(this).length === 0;
  }
}

/**
 * Teaches the environment a type with these fields, and returns the way from plain JSON to its values.
 *
 * The library tells types apart by the constructor of a value, so each type gets one of its own.
 */
export const registerMessage = (environment: Environment, known: KnownFields, name: string, fields: Fields): MessageCodec => {
  const codecs = Object.entries(fields).map(([field, type]) => [field, fieldCodec(environment, known, `${name}.${field}`, type)] as const);
  const types = new Map(codecs.map(([field, codec]) => [field, codec.celType]));
  const Message = class extends CelMessage {};
  environment.registerType(name, { ctor: Message, fields: Object.fromEntries(types) });
  known.set(name, types);
  return {
    absent: () => new Message({}),
    decode(json) {
      const present = isJsonObject(json) ? json : {};
      const decoded = codecs.map(
        ([field, codec]) => [field, codec.decode(Object.hasOwn(present, field) ? (present[field] ?? undefined) : undefined)] as const,
      );
      return new Message(Object.fromEntries(decoded.filter(([, value]) => value !== undefined)));
    },
  };
};

/** A type of which nothing is known before it is read. */
export const registerAnything = (environment: Environment, name: string): MessageCodec => {
  const Anything = class extends CelMessage {};
  environment.registerType(name, Anything);
  return { absent: () => new Anything({}), decode: (json) => new Anything(Object(decodeAny(json))) };
};

const fieldCodec = (environment: Environment, known: KnownFields, name: string, type: FieldType): FieldCodec => {
  if (typeof type === 'string') return scalarCodec(type);
  if (isListOfFields(type)) {
    const element = registerMessage(environment, known, name, type[0]);
    return { celType: `list<${name}>`, decode: (json) => (isJsonArray(json) ? json.map((item) => element.decode(item)) : []) };
  }
  const message = registerMessage(environment, known, name, type);
  return { celType: name, decode: (json) => message.decode(json) };
};

const isListOfFields = (type: Exclude<FieldType, string>): type is readonly [Fields] => Array.isArray(type);

const scalarCodec = (type: string): FieldCodec => {
  const [celType = type, initial = '0'] = type.split('=');
  if (celType === 'timestamp')
    return { celType: 'google.protobuf.Timestamp', decode: (json) => (typeof json === 'string' ? new Date(json) : undefined) };
  if (celType === 'int') return { celType, decode: (json) => (json === undefined ? BigInt(initial) : decodeAny(json)) };
  if (celType === 'bool') return { celType, decode: (json) => json ?? false };
  if (celType.startsWith('list<')) return { celType, decode: (json) => decodeAny(json ?? []) };
  if (celType.startsWith('map<')) return { celType, decode: (json) => decodeAny(json ?? {}) };
  return { celType, decode: decodeAny };
};

/** CEL tells whole numbers from others, JSON does not; Kubernetes' fields without a type are whole where they look so. */
export const decodeAny = (json: unknown): unknown => {
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json;
  if (isJsonArray(json)) return json.map(decodeAny);
  if (isJsonObject(json)) return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, decodeAny(value)]));
  return json;
};

export const durationFromMs = (durationMs: number): Duration =>
  new Duration(BigInt(Math.floor(durationMs / 1000)), (durationMs % 1000) * 1_000_000);

/** `undefined` when the value is none of CEL's durations. */
export const durationMsOf = (value: unknown): number | undefined => (value instanceof Duration ? Math.round(value.valueOf()) : undefined);
