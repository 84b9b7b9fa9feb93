import { isRecord } from '../../core/is-record.js';

/** A JSON object as it came. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A resource of a BMC. Source: DSP0266, "Resources" */
export interface Resource {
  readonly path: string;
  readonly data: JsonObject;
  /** What tells this state of it from others. */
  readonly etag?: string;
}

/** A value as an object; an empty one for what is none. */
export function objectOf(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}

/** What stands at a path of names. */
export function memberAt(data: JsonObject, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((value, name) => objectOf(value)[name], data);
}

/** A text at a path of names; undefined for anything else. */
export function textAt(data: JsonObject, ...names: readonly string[]): string | undefined {
  const value = memberAt(data, ...names);
  return typeof value === 'string' ? value : undefined;
}

/** The texts of a list at a path of names; undefined where there is no list. */
export function textsAt(data: JsonObject, ...names: readonly string[]): readonly string[] | undefined {
  const value = memberAt(data, ...names);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}

/** The objects of a list at a path of names. */
export function objectsAt(data: JsonObject, ...names: readonly string[]): readonly JsonObject[] {
  const value = memberAt(data, ...names);
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** Where a link at a path of names leads. */
export function linkAt(data: JsonObject, ...names: readonly string[]): string | undefined {
  return textAt(data, ...names, '@odata.id');
}

/** Where the links of a list lead. */
export function linksAt(data: JsonObject, ...names: readonly string[]): readonly string[] {
  return objectsAt(data, ...names).flatMap((each) => linkAt(each) ?? []);
}
