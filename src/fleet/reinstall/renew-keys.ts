import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { rfc3339 } from '../../core/rfc3339.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { putBack, setAside } from '../../disk/set-aside.js';
import type { AgeKeys } from '../../formats/age.js';
import type { FleetResult } from '../build/build-fleet.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import type { ShownProblems } from '../problems/grouped-problems.js';
import type { ShowProgress } from '../table/site-progress.js';
import { secretAccess, withSecrets } from '../table/site-secrets.js';
import { whileLocked } from '../boot/boot-record-file.js';

/** Folder in the outputs that keeps the earlier outputs and keys of sites. Names with a dot are not sites. */
const replacedFolder = '.replaced';

interface KeyRenewal {
  readonly names: readonly string[];
  readonly access: StateAccess;
  readonly stop: AbortSignal;
  readonly surroundings: Surroundings;
  readonly shown: ShownProblems;
  readonly showProgress: ShowProgress;
  /** Creates the sites, like `fleet create`. */
  readonly create: (given: {
    readonly opened: LoadedFleet;
    readonly keys: AgeKeys;
    readonly jobs: number;
  }) => Promise<FleetResult>;
}

/**
 * Creates these sites again without their state, so that all keys are new. The earlier folders are kept; that of a site that cannot be
 * created comes back. Returns the folder of the earlier outputs. Problems: reinstall/keys, dir/not-writable, those of the creation.
 */
export async function renewKeys(
  options: { readonly dir: string; readonly allowCommands?: true },
  given: LoadedFleet,
  { names, access, stop, surroundings, shown, showProgress, create }: KeyRenewal,
): Promise<Result<string>> {
  const keys = await access.keys();
  if (!keys.ok) return keys;
  const jobs = availableParallelism();
  const rows = given.rows.filter(({ name }) => names.includes(name));
  const opened = await withSecrets(
    { ...given, rows },
    { ...secretAccess(options, showProgress), jobs, stop },
  );
  const outputs = join(options.dir, given.fleet.outputs);
  const stamp = rfc3339(surroundings.present()).replace(/[-:]/g, '');
  const moves = names.map((name) => ({
    name,
    folder: join(outputs, name),
    kept: join(outputs, replacedFolder, `${name}-${stamp}`),
  }));
  const moved = await whileLocked({ dir: options.dir, outputs }, () =>
    Promise.resolve(firstFailure(moves.map(({ folder, kept }) => setAside(folder, kept, options.dir)))),
  );
  const made = moved.ok ? await create({ opened, keys: keys.value, jobs }) : undefined;
  const isMade = new Set(made?.sites.flatMap(({ name, outcome }) => (outcome === 'created' ? [name] : [])));
  const left = moves.filter(({ name }) => !isMade.has(name));
  if (left.length === 0) return success(join(outputs, replacedFolder));
  const back = firstFailure(left.map(({ folder, kept }) => putBack(folder, kept)));
  const own = left.map(({ name }) => problem('reinstall/keys', `the keys of ${name} were not renewed`));
  const causes: readonly Problem[] = made ? shown(made.problems, names.length) : [];
  return failure(...causes, ...problemsOf(moved), ...own, ...problemsOf(back));
}

function firstFailure(results: readonly Result<void>[]): Result<void> {
  return results.find(({ ok }) => !ok) ?? success(undefined);
}
