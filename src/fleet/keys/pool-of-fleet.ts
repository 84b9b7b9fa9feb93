import { isAbsolute, join } from 'node:path';

import { problem } from '../../core/problem.js';
import { success, type Result } from '../../core/result.js';
import { inPool, takingIn } from '../../disk/keypool/pool-contents.js';
import { isPool, openPool, type PoolFolder } from '../../disk/keypool/pool-folder.js';
import { keyPool } from '../../effects/keys/pooled-chance.js';
import type { AgeKeys } from '../../formats/age.js';
import type { Fleet } from '../fleet-file.js';

/** The folder of a fleet's keys, as commands name it. */
export function poolPath(dir: string, { keys }: Pick<Fleet, 'keys'>): string {
  return isAbsolute(keys) ? keys : join(dir, keys);
}

/** A pool that sites can take keys from. */
export interface PoolInUse {
  readonly folder: PoolFolder;
  /** Sites that took keys and may be made by now. */
  readonly taking: readonly string[];
}

/**
 * The pool of a fleet, if it has one that the keys open. Warnings: fleet/keys-closed. Problems: fleet/keys-copied,
 * fleet/keys-unreadable.
 */
export function poolInUse(dir: string, fleet: Fleet, keys: AgeKeys): Promise<Result<PoolInUse | undefined>> {
  const path = poolPath(dir, fleet);
  return inPool(path, async () => {
    if (!isPool(path)) return success(undefined);
    const folder = openPool(path);
    if (!folder.ok) return folder;
    const taking = takingIn(folder.value);
    if ((await keyPool(folder.value, keys)) !== undefined) return success({ folder: folder.value, taking });
    const hint = 'name the file with the identity by --identity';
    const message = `no identity opens the keys in ${path}, so others are drawn`;
    return success(undefined, [problem('fleet/keys-closed', message, { hint })]);
  });
}
