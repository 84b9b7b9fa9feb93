import { readFileSync } from 'node:fs';

/** The version of this program, from its package.json. Throws: internal error. */
export function packageVersion(): string {
  const value: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  if (
    typeof value !== 'object' ||
    value === null ||
    !('version' in value) ||
    typeof value.version !== 'string'
  ) {
    throw new Error('internal error: package.json has no version');
  }
  return value.version;
}

/** Which build of the program this is: a hash of its code and templates, made at build time; undefined without a build. */
export function buildId(): string | undefined {
  try {
    return readFileSync(new URL('../build-id', import.meta.url), 'utf8');
  } catch {
    return undefined;
  }
}
