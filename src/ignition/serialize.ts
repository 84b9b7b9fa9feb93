import type { IgnitionConfig } from './types.js';

/** The config as compact JSON without a trailing newline; members that are empty or undefined are left out. */
export function serializeConfig(config: IgnitionConfig): string {
  return JSON.stringify(config, (_name, value: unknown) => (isEmpty(value) ? undefined : value));
}

/** Lists without items, objects without members or with empty ones alone. A string may be empty: so is a file. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isEmpty);
}
