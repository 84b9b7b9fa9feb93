import { resolve } from 'node:path';

import { maskedArgument } from '../../core/quoted.js';

/** The command line of this process, with possible secrets masked. */
export function commandLine(): string {
  return `sno-install ${process.argv.slice(2).map(maskedArgument).join(' ')}`;
}

/** Makes a folder path absolute; keeps a URL. */
export function urlOrPath(place: string): string {
  return place.includes('://') ? place : resolve(place);
}
