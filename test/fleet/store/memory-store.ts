import { createHash } from 'node:crypto';

import type { ObjectStore } from '../../../src/remote/object-store/object-store.js';

/** An object store in memory. `objects` can be changed by the test. */
export function memoryStore(objects = new Map<string, Buffer>()): ObjectStore & {
  readonly objects: Map<string, Buffer>;
  /** Names of all written objects, in order. */
  readonly written: string[];
} {
  const written: string[] = [];
  const tagOf = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('hex')}"`;
  return {
    objects,
    written,
    read: (name, firstBytes) => {
      const bytes = objects.get(name);
      return Promise.resolve(bytes && { bytes: bytes.subarray(0, firstBytes), tag: tagOf(bytes) });
    },
    write: (name, bytes, before) => {
      const there = objects.get(name);
      const fits = before === 'nothing' ? there === undefined : there && tagOf(there) === before.tag;
      if (fits === true) {
        objects.set(name, Buffer.from(bytes));
        written.push(name);
      }
      return Promise.resolve(fits === true ? 'written' : 'taken');
    },
    close: () => undefined,
  };
}
