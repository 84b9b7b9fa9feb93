import type { IgnitionConfig } from './types.js';

/** The config as compact JSON without a trailing newline. Empty and undefined members are omitted. */
export function serializeConfig(config: IgnitionConfig): string {
  return JSON.stringify(withoutEmpty(config));
}

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutEmpty);
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

/** True for empty lists and objects. Empty strings stay: a file may be empty. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined;
  return (Array.isArray(value) ? value : Object.keys(value)).length === 0;
}
