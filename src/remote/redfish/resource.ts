import { isRecord } from '../../core/is-record.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A resource of a BMC. Source: DSP0266, "Resources" */
export interface Resource {
  readonly path: string;
  readonly data: JsonObject;
  /** Identifies this version of the resource. */
  readonly etag?: string;
  /** Length of its text. */
  readonly bytes?: number;
}

/** Empty if the value is not an object. */
export function objectOf(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}

/** Longest list in a response: a machine has a few hundred drives at most. Work on lists is quadratic in places. */
export const maxListEntries = 2000;

/** Whether any list in a response is longer than `maxListEntries`. Not recursive, since a hostile BMC may nest objects deeply. */
export function hasLongList(data: JsonObject): boolean {
  const left: unknown[] = [data];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value) && value.length > maxListEntries) return true;
    for (const each of Object.values(value)) if (typeof each === 'object' && each !== null) left.push(each);
  }
  return false;
}

/** Value at a path of member names. */
export function memberAt(data: JsonObject, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((value, name) => objectOf(value)[name], data);
}

/** String at a path of member names; undefined for any other type. */
export function textAt(data: JsonObject, ...names: readonly string[]): string | undefined {
  const value = memberAt(data, ...names);
  return typeof value === 'string' ? value : undefined;
}

/** Strings in the list at a path of member names; undefined if there is no list. */
export function textsAt(data: JsonObject, ...names: readonly string[]): readonly string[] | undefined {
  const value = memberAt(data, ...names);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}

/** Objects in the list at a path of member names. */
export function objectsAt(data: JsonObject, ...names: readonly string[]): readonly JsonObject[] {
  const value = memberAt(data, ...names);
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** Target of the link at a path of member names. */
export function linkAt(data: JsonObject, ...names: readonly string[]): string | undefined {
  return textAt(data, ...names, '@odata.id');
}

/** Targets of the links in a list. */
export function linksAt(data: JsonObject, ...names: readonly string[]): readonly string[] {
  return objectsAt(data, ...names).flatMap((each) => linkAt(each) ?? []);
}
