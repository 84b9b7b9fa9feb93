import { getRawAsset, isSea } from 'node:sea';

/** Whether the program runs as one executable file, which has all others in it. Source: nodejs.org/api/single-executable-applications.html */
export const isSingleFile = isSea();

/** A file of the program that is in it, such as `templates/motd`. Throws when there is none. */
export function partOf(path: string): Buffer {
  const bytes = getRawAsset(path);
  return typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes);
}

/** The templates that are in it, as paths below their folder. */
export function templatesInside(): readonly string[] {
  return partOf('templates').toString('utf8').split('\n');
}
