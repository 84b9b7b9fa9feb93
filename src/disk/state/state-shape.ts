import { isRecord } from '../../core/is-record.js';
import { isName } from '../../core/quoted.js';

/** Path of an invalid value, such as `lastRuns.manifests.outputs[0]`, and the expected type. */
export interface ShapeFault {
  readonly path: string;
  readonly expected: string;
}

/** Validates a value and returns its first fault; undefined if it is valid. */
export type Shape = (value: unknown, path: string) => ShapeFault | undefined;

/** A string for which `holds` returns true. */
export function textShape(expected = 'text', holds: (value: string) => boolean = () => true): Shape {
  return (value, path) => (typeof value === 'string' && holds(value) ? undefined : { path, expected });
}

/** A non-negative integer. */
export const countShape: Shape = (value, path) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : { path, expected: 'a whole number' };

/** A JSON boolean. */
export const booleanShape: Shape = (value, path) =>
  typeof value === 'boolean' ? undefined : { path, expected: 'true or false' };

export const trueShape: Shape = (value, path) => (value === true ? undefined : { path, expected: 'true' });

/** An RFC 3339 time in UTC. */
export const timeShape: Shape = textShape(
  'an RFC 3339 time such as 2026-01-02T03:04:05Z',
  (value) => /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value)),
);

/** A list; reports the fault of its first invalid item. */
export function listShape(each: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return { path, expected: 'a list' };
    const faults = value.map((item: unknown, index) => each(item, `${path}[${index}]`));
    return faults.find((fault) => fault !== undefined);
  };
}

/** An object with arbitrary keys that match `key`. Paths show an invalid key as `…`, since it may be a secret. */
export function recordShape(each: Shape, key: Shape = textShape()): Shape {
  return (value, path) => {
    if (!isRecord(value)) return { path, expected: 'an object' };
    const faults = Object.entries(value).map(([name, item]) => {
      const shown = isName(name) ? name : '…';
      const at = path === '' ? shown : `${path}.${shown}`;
      return key(name, at) ?? each(item, at);
    });
    return faults.find((fault) => fault !== undefined);
  };
}

/** An object with required and optional members. Ignores unknown members. */
export function objectShape(
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  return (value, path) => {
    if (!isRecord(value)) return { path, expected: 'an object' };
    const present = Object.entries(optional).filter(([name]) => value[name] !== undefined);
    const faults = [...Object.entries(required), ...present].map(([name, shape]) =>
      shape(value[name], path === '' ? name : `${path}.${name}`),
    );
    return faults.find((fault) => fault !== undefined);
  };
}
