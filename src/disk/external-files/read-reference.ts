import { resolve } from 'node:path';

import type { InputRead, Reference } from '../../graph/context.js';
import { inputReadPolicy } from '../read-policy.js';
import { readRegularFile, tooLarge } from '../regular-file.js';
import type { Stdin } from './standard-input.js';

/** Input sources outside the user's files. */
export interface ExternalSources {
  /** Environment variables by name, as in `process.env`. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly stdin: Stdin;
}

/** The size limit of a config, which also applies to a value that a config reads from elsewhere. */
export const maxReferenceBytes = 1024 * 1024;

/** Reads the value that a reference of a config in `dir` names. */
export function readReference({ place, field }: Reference, dir: string, outside: ExternalSources): InputRead {
  switch (place.kind) {
    case 'file': {
      const read = readRegularFile(
        resolve(dir, place.path),
        maxReferenceBytes,
        inputReadPolicy(dir, { isNamed: true }),
      );
      return read.kind === 'file' ? { kind: 'file', bytes: read.bytes } : read;
    }
    case 'variable': {
      const value = outside.variables[place.name];
      return value === undefined ? { kind: 'absent' } : small({ kind: 'file', bytes: Buffer.from(value) });
    }
    case 'stdin':
      return small(outside.stdin(field));
  }
}

function small(read: InputRead): InputRead {
  return read.kind === 'file' && read.bytes.length > maxReferenceBytes
    ? { kind: 'unreadable', reason: tooLarge(maxReferenceBytes) }
    : read;
}
