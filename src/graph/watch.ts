import { isRecord } from '../core/is-record.js';
import type { Asset } from './asset.js';
import type { Context } from './context.js';

/** What an asset was made from, beside the values of other assets. Everything sorted by when it was asked for. */
export interface Origins {
  /** Fields of a watched asset's value, by that asset's name. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** Files of the user that it read, looked for or hashed. */
  readonly files: ReadonlySet<string>;
  /** Labels of keys and other draws. */
  readonly draws: ReadonlySet<string>;
  /** Members of the environment, as the context calls them; `now` for the clock. */
  readonly environment: ReadonlySet<string>;
}

/** Notes, while assets are made, what each asks for. */
export interface Watch {
  /** What an asset is given in the place of its parents' values and of the context. */
  readonly around: (
    asset: Asset<unknown>,
    given: { readonly values: Readonly<Record<string, unknown>>; readonly context: Context },
  ) => { readonly values: Readonly<Record<string, unknown>>; readonly context: Context };
  /** Ends the noting: what is read from now on is nobody's. */
  readonly end: () => void;
  /** What an asset asked for. */
  readonly originsOf: (asset: Asset<unknown>) => Origins;
}

interface Notes {
  readonly fields: Map<string, Set<string>>;
  readonly files: Set<string>;
  readonly draws: Set<string>;
  readonly environment: Set<string>;
}

/**
 * A watch of which fields of the values of some assets, the configs, the others read. A field counts for the asset that was given the
 * value, also where it hands a part of it on and another reads that.
 */
export function watchOf(configs: readonly Asset<unknown>[]): Watch {
  const notes = new Map<Asset<unknown>, Notes>();
  let isOn = true;
  const notesOf = (asset: Asset<unknown>): Notes => {
    const present = notes.get(asset) ?? {
      fields: new Map(),
      files: new Set(),
      draws: new Set(),
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

/** Plain data whose fields tell when they are read; anything else as it is. */
function watchedValue(value: unknown, path: string, onRead: (field: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  return new Proxy(value, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof name === 'symbol' || isAsked(target, name) || isFixed(target, name)) return member;
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

/** What is asked of any value, and no field: methods, and what Promises and JSON look for. */
function isAsked(target: object, name: string): boolean {
  return !Object.hasOwn(target, name) && (name in target || name === 'then' || name === 'toJSON');
}

/** Such a member must be given as it is (ECMA-262 §10.5.8). */
function isFixed(target: object, name: string): boolean {
  const descriptor = Object.getOwnPropertyDescriptor(target, name);
  return descriptor?.configurable === false && descriptor.writable === false;
}

/** What has fields of its own, which tell more than it does. */
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
  const { draws, inputs, environment } = context;
  return {
    ...context,
    get now() {
      note(notes.environment, 'now');
      return context.now;
    },
    draws: {
      ...draws,
      rsaKey: (label, bits) => {
        note(notes.draws, label);
        return draws.rsaKey(label, bits);
      },
      ecKey: (label, curve) => {
        note(notes.draws, label);
        return draws.ecKey(label, curve);
      },
      bcryptHash: (label, password) => {
        note(notes.draws, label);
        return draws.bcryptHash(label, password);
      },
      uuid: (label) => {
        note(notes.draws, label);
        return draws.uuid(label);
      },
      text: (label, length, alphabet) => {
        note(notes.draws, label);
        return draws.text(label, length, alphabet);
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
