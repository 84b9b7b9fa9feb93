import { join } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, type Result } from '../../core/result.js';
import { reasonOf, systemErrorCode } from '../file-system-problem.js';
import { freeKits, type FreeKits } from './free-kits.js';
import { givenKits } from './given-notes.js';
import { namesIn } from './kit-files.js';
import type { PoolFolder } from './pool-folder.js';

/** What lies in a pool, and what became of the rest. */
export interface PoolContents {
  readonly free: readonly FreeKits[];
  /** Sites with kits that are not erased yet: they are being made, or their run was killed. */
  readonly taking: readonly string[];
  /** Sites that have keys of this pool. */
  readonly served: ReadonlySet<string>;
  /** Kits that were given to a site. */
  readonly given: number;
  /** Kits that cannot be used. */
  readonly refused: number;
}

/** Looks into a pool; sites may take from it meanwhile. Throws system errors. */
export function contentsOf(pool: PoolFolder): PoolContents {
  const given = givenKits(pool);
  const taking = takingIn(pool);
  return {
    free: freeKits(pool),
    taking,
    served: new Set([...given.values(), ...taking]),
    given: given.size,
    refused: namesIn(pool.refused).length,
  };
}

/** Sites with kits that are not erased yet, without reading what was ever given. Throws system errors. */
export function takingIn(pool: PoolFolder): readonly string[] {
  return namesIn(pool.taken).filter((site) => namesIn(join(pool.taken, site)).length > 0);
}

/** What comes of work in a pool, system errors as problems. Problems: fleet/keys-unreadable. */
export async function inPool<T>(
  path: string,
  work: () => Promise<Result<T>> | Result<T>,
): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    const hint = 'give permission to read and write in all of it';
    const message = `the pool ${path} cannot be used: ${reasonOf(error)}`;
    return failure(problem('fleet/keys-unreadable', message, { hint }));
  }
}
