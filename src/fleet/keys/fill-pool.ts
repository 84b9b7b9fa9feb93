import { success, type Result } from '../../core/result.js';
import { putKit } from '../../disk/keypool/free-kits.js';
import type { KeyNeed } from '../../disk/keypool/key-kit.js';
import type { PoolFolder } from '../../disk/keypool/pool-folder.js';
import { drawKit } from '../../effects/keys/draw-kit.js';

/** What is drawn, and how. */
export interface Filling {
  readonly needs: readonly KeyNeed[];
  readonly recipients: readonly string[];
  /** How many kits are drawn at a time. */
  readonly jobs: number;
  /** No kit is begun after it, and those that were are left. */
  readonly stop: AbortSignal;
  readonly onKit: (keys: number) => void;
}

/** What came into a pool. */
export interface Filled {
  readonly kits: number;
  readonly keys: number;
}

/** Draws kits into a pool, each there as soon as it is whole. Problems: dir/not-writable, at the first of which it ends. */
export async function fillPool(pool: PoolFolder, filling: Filling): Promise<Result<Filled>> {
  const { needs, recipients, jobs, stop, onKit } = filling;
  const left = needs.values();
  const filled = { kits: 0, keys: 0 };
  let failed: Result<never> | undefined;
  const draw = async (): Promise<void> => {
    for (const need of left) {
      if (stop.aborted || failed !== undefined) return;
      const kit = await drawKit(pool, need, { recipients, stop });
      if (kit === undefined) return;
      const put = putKit(pool, need, kit);
      if (!put.ok) {
        failed = put;
        return;
      }
      filled.kits += 1;
      filled.keys += need.labels.length;
      onKit(need.labels.length);
    }
  };
  await Promise.all(Array.from({ length: jobs }, draw));
  return failed ?? success(filled);
}
