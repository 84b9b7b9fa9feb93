import { getRawAsset, isSea } from 'node:sea';

/** Whether the program runs as a single executable application. Source: nodejs.org/api/single-executable-applications.html */
export const isSingleFile = isSea();

/** Reads an embedded file of the program, such as `templates/motd`. Throws if there is none. */
export function partOf(path: string): Buffer {
  const bytes = getRawAsset(path);
  return typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes);
}

/** Embedded templates, as paths below their folder. */
export function templatesInside(): readonly string[] {
  return partOf('templates').toString('utf8').split('\n');
}
