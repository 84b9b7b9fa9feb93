import { problemsOf, failure, success, type Result } from '../../core/result.js';
import { freeKits, moveKit } from '../../disk/keypool/free-kits.js';
import { needName } from '../../disk/keypool/key-kit.js';
import { beginPart, type PoolFolder } from '../../disk/keypool/pool-folder.js';

/** A part of a pool, and what lies in it. */
export interface Part {
  readonly path: string;
  readonly kits: number;
}

/**
 * Moves all that nobody has in a pool into parts, as evenly as it goes: each kit lies in one of them. One that was interrupted goes on
 * with the same parts. Problems: fleet/keys-part, fleet/keys-unreadable, dir/not-writable. Throws system errors of reading.
 */
export function splitPool(pool: PoolFolder, paths: readonly string[]): Result<readonly Part[]> {
  const begun = paths.map((path) => beginPart(path, pool));
  const problems = begun.flatMap(problemsOf);
  if (problems.length > 0) return failure(...problems);
  const parts = begun.flatMap((each) => (each.ok ? [{ folder: each.value, kits: 0 }] : []));
  for (const { need, ids } of freeKits(pool)) {
    const filled = parts.map((part) => ({ part, has: kitsIn(part.folder, needName(need)) }));
    for (const { part, has } of filled) part.kits += has;
    for (const id of ids) {
      const [emptiest] = filled.sort((one, other) => one.has - other.has || one.part.kits - other.part.kits);
      if (emptiest === undefined) break;
      const moved = moveKit(pool, emptiest.part.folder, { need, id });
      if (!moved.ok) return moved;
      if (!moved.value) continue;
      emptiest.has += 1;
      emptiest.part.kits += 1;
    }
  }
  return success(parts.map(({ folder, kits }) => ({ path: folder.path, kits })));
}

function kitsIn(pool: PoolFolder, name: string): number {
  return freeKits(pool).find(({ need }) => needName(need) === name)?.ids.length ?? 0;
}
