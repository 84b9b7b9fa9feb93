import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { contentsOf, inPool } from '../../disk/keypool/pool-contents.js';
import { adoptPool, openPool, seePool, type PoolFolder } from '../../disk/keypool/pool-folder.js';
import { takeLock } from '../../disk/lock/lock.js';
import { poolPath } from '../../fleet/keys/pool-of-fleet.js';
import { splitPool } from '../../fleet/keys/split-pool.js';
import type { ReadFleet } from '../../fleet/judge-fleet.js';
import { report } from '../../command-line/output/report.js';
import { commandLine } from '../../command-line/request.js';
import { count } from '../../telling/problem-text.js';
import { openedFleet } from '../../fleet-command-line/fleet-request.js';
import type { KeysOptions } from './keys-options.js';
import { poolJson, poolText } from './pool-text.js';

/** Fills the pool of a fleet, takes it apart, or says what is in it. */
export async function fleetKeys(options: KeysOptions): Promise<void> {
  const opened = openedFleet(options);
  if (!opened.ok) {
    report(options, { problems: opened.problems });
    return;
  }
  const path = poolPath(options.dir, opened.value.fleet);
  if (options.fill !== undefined) {
    const { fillKeys } = await import('./fill-keys.js');
    await fillKeys(options, { path, opened: opened.value, fill: options.fill });
  } else if (options.split !== undefined) await splitKeys(options, path, options.split);
  else if (options.adopt === true) await adoptKeys(options, path);
  else await showKeys(options, path, opened.value);
}

async function showKeys(options: KeysOptions, path: string, { rows }: ReadFleet): Promise<void> {
  const found = await inPool(path, () => {
    const pool = seePool(path);
    return pool.ok ? success(contentsOf(pool.value)) : pool;
  });
  const sites = rows.map(({ name }) => name);
  report(options, {
    problems: problemsOf(found),
    ...(found.ok && { text: poolText(path, found.value, sites), json: poolJson(path, found.value, sites) }),
  });
}

async function splitKeys(options: KeysOptions, path: string, number: number): Promise<void> {
  const paths = Array.from({ length: number }, (_, index) => `${path}-${index + 1}`);
  const split = await inPool(path, () =>
    locked(
      path,
      () => openPool(path),
      (pool) => splitPool(pool, paths),
    ),
  );
  const parts = split.ok ? split.value : [];
  const lines = parts.map((part) => `${part.path}: keys of ${count(part.kits, 'site')}\n`);
  const text = `${lines.join('')}Carry each to its machine, once: a part that is copied to two gives keys twice.\n`;
  report(options, { problems: problemsOf(split), text, json: { pool: path, parts } });
}

async function adoptKeys(options: KeysOptions, path: string): Promise<void> {
  const adopted = await inPool(path, () =>
    locked(
      path,
      () => adoptPool(path),
      () => success(undefined),
    ),
  );
  const text = `${path} is the pool now. Never take keys from another copy of it.\n`;
  report(options, { problems: problemsOf(adopted), text, json: { pool: path } });
}

/** Works on a pool that no other run fills or takes apart meanwhile; sites may take from it. */
async function locked<T>(
  path: string,
  open: () => Result<PoolFolder>,
  work: (pool: PoolFolder) => Result<T>,
): Promise<Result<T>> {
  const seen = open();
  if (!seen.ok) return seen;
  const lock = await takeLock(path, commandLine());
  if (!lock.ok) return failure(...lock.problems);
  try {
    return work(seen.value);
  } finally {
    lock.value.release();
  }
}
