import { isRecord } from '../core/is-record.js';
import type { Asset } from './asset.js';
import type { Context } from './context.js';

/** Inputs of an asset other than the values of its parents, in the order of first access. */
export interface AssetInputs {
  /** Fields read from a watched asset's value, by the name of that asset. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** The user's files that it read or hashed. */
  readonly files: ReadonlySet<string>;
  /** Labels of generated values. */
  readonly generatedValues: ReadonlySet<string>;
  /** Names of members of `Environment`; `now` for the clock. */
  readonly environment: ReadonlySet<string>;
}

/** Records the inputs of each asset while assets are made. */
export interface InputRecorder {
  /** Wraps the parents' values and the context of an asset. */
  readonly around: (
    asset: Asset<unknown>,
    given: { readonly values: Readonly<Record<string, unknown>>; readonly context: Context },
  ) => { readonly values: Readonly<Record<string, unknown>>; readonly context: Context };
  /** Stops recording. */
  readonly end: () => void;
  readonly originsOf: (asset: Asset<unknown>) => AssetInputs;
}

interface Notes {
  readonly fields: Map<string, Set<string>>;
  readonly files: Set<string>;
  readonly generatedValues: Set<string>;
  readonly environment: Set<string>;
}

/**
 * Records which fields of the config assets' values the other assets read. A field is attributed to the asset that received the
 * value, even if it passes a part of the value on to another asset.
 */
export function inputRecorder(configs: readonly Asset<unknown>[]): InputRecorder {
  const notes = new Map<Asset<unknown>, Notes>();
  let isOn = true;
  const notesOf = (asset: Asset<unknown>): Notes => {
    const present = notes.get(asset) ?? {
      fields: new Map(),
      files: new Set(),
      generatedValues: new Set(),
      environment: new Set(),
    };
    notes.set(asset, present);
    return present;
  };
  return {
    around: (asset, { values, context }) => {
      const note = notesOf(asset);
      const watched = Object.entries(values).map(([name, value]) => {
        const config = asset.needs[name];
        if (config === undefined || !configs.includes(config)) return [name, value] as const;
        const fields = note.fields.get(config.name) ?? new Set<string>();
        note.fields.set(config.name, fields);
        return [name, watchedValue(value, '', (field) => isOn && fields.add(field))] as const;
      });
      return { values: Object.fromEntries(watched), context: watchedContext(context, note, () => isOn) };
    },
    end: () => {
      isOn = false;
    },
    originsOf: notesOf,
  };
}

/** A proxy of plain data that reports the fields that are read. Other values are returned unchanged. */
function watchedValue(value: unknown, path: string, onRead: (field: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  return new Proxy(value, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof name === 'symbol' || isBuiltinProperty(target, name) || isFixed(target, name)) return member;
      const field = Array.isArray(target)
        ? name === 'length'
          ? path
          : `${path}[${name}]`
        : path === ''
          ? name
          : `${path}.${name}`;
      if (!isMap(member)) onRead(field);
      return watchedValue(member, field, onRead);
    },
  });
}

/** True for properties that are not fields: methods, and the hooks of Promise and JSON. */
function isBuiltinProperty(target: object, name: string): boolean {
  return !Object.hasOwn(target, name) && (name in target || name === 'then' || name === 'toJSON');
}

/** True if a proxy must return the member unchanged (ECMA-262 §10.5.8). */
function isFixed(target: object, name: string): boolean {
  const descriptor = Object.getOwnPropertyDescriptor(target, name);
  return descriptor?.configurable === false && descriptor.writable === false;
}

/** True for records: their fields are recorded instead of the record itself. */
function isMap(value: unknown): boolean {
  return isRecord(value) && isPlain(value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function watchedContext(context: Context, notes: Notes, isOn: () => boolean): Context {
  const note = (set: Set<string>, name: string): void => {
    if (isOn()) set.add(name);
  };
  const { valueSource, inputs, environment } = context;
  return {
    ...context,
    get now() {
      note(notes.environment, 'now');
      return context.now;
    },
    valueSource: {
      ...valueSource,
      rsaKey: (label, bits) => {
        note(notes.generatedValues, label);
        return valueSource.rsaKey(label, bits);
      },
      ecKey: (label, curve) => {
        note(notes.generatedValues, label);
        return valueSource.ecKey(label, curve);
      },
      bcryptHash: (label, password) => {
        note(notes.generatedValues, label);
        return valueSource.bcryptHash(label, password);
      },
      uuid: (label) => {
        note(notes.generatedValues, label);
        return valueSource.uuid(label);
      },
      text: (label, length, alphabet) => {
        note(notes.generatedValues, label);
        return valueSource.text(label, length, alphabet);
      },
    },
    inputs: {
      ...inputs,
      read: (path) => {
        const read = inputs.read(path);
        if (read.kind !== 'absent') note(notes.files, path);
        return read;
      },
      readReference: (reference) => {
        if (reference.place.kind === 'file') note(notes.files, reference.place.path);
        return inputs.readReference(reference);
      },
      digest: (path) => {
        note(notes.files, path);
        return inputs.digest(path);
      },
    },
    environment: new Proxy(environment, {
      get: (target, name, receiver) => {
        const value: unknown = Reflect.get(target, name, receiver);
        if (typeof name === 'string' && value !== undefined) note(notes.environment, name);
        return value;
      },
    }),
  };
}
