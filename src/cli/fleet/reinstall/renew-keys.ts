import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { problem, type Problem } from '../../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../../core/result.js';
import { rfc3339 } from '../../../core/rfc3339.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import { putBack, setAside } from '../../../disk/set-aside.js';
import type { LoadedFleet } from '../../../fleet/check-fleet.js';
import { withSecrets } from '../../../fleet/site-secrets.js';
import type { GlobalOptions } from '../../options.js';
import { stateAccess } from '../../request.js';
import type { StopSignals } from '../../stop-signals.js';
import { whileLocked } from '../boot/boot-record-file.js';
import { makeInOutputs } from '../create-fleet.js';
import { fleetProblemsShown } from '../print-fleet-problems.js';
import { secretAccess } from '../site-access-options.js';

/** Folder in the outputs that keeps the earlier outputs and keys of sites. Names with a dot are not sites. */
const replacedFolder = '.replaced';

/**
 * Creates these sites again without their state, so that all keys are new. The earlier folders are kept; that of a site that cannot be
 * created comes back. Returns the folder of the earlier outputs. Problems: reinstall/keys, dir/not-writable, those of the creation.
 */
export async function renewKeys(
  options: GlobalOptions,
  given: LoadedFleet,
  { names, signals }: { readonly names: readonly string[]; readonly signals: StopSignals },
): Promise<Result<string>> {
  const stdin = standardInput();
  const keys = await stateAccess(options, stdin).keys();
  if (!keys.ok) return keys;
  const jobs = availableParallelism();
  const rows = given.rows.filter(({ name }) => names.includes(name));
  const opened = await withSecrets(
    { ...given, rows },
    { ...secretAccess(options), jobs, stop: signals.stop },
  );
  const outputs = join(options.dir, given.fleet.outputs);
  const stamp = rfc3339(new Date()).replace(/[-:]/g, '');
  const moves = names.map((name) => ({
    name,
    folder: join(outputs, name),
    kept: join(outputs, replacedFolder, `${name}-${stamp}`),
  }));
  const moved = await whileLocked({ dir: options.dir, outputs }, () =>
    Promise.resolve(firstFailure(moves.map(({ folder, kept }) => setAside(folder, kept, options.dir)))),
  );
  const made = moved.ok
    ? await makeInOutputs(
        { ...options, only: names, where: [] },
        { opened, keys: keys.value, stdin, jobs, signals },
      )
    : undefined;
  const isMade = new Set(made?.sites.flatMap(({ name, outcome }) => (outcome === 'created' ? [name] : [])));
  const left = moves.filter(({ name }) => !isMade.has(name));
  if (left.length === 0) return success(join(outputs, replacedFolder));
  const back = firstFailure(left.map(({ folder, kept }) => putBack(folder, kept)));
  const own = left.map(({ name }) => problem('reinstall/keys', `the keys of ${name} were not renewed`));
  const causes: readonly Problem[] = made ? fleetProblemsShown(options, made.problems, names.length) : [];
  return failure(...causes, ...problemsOf(moved), ...own, ...problemsOf(back));
}

function firstFailure(results: readonly Result<void>[]): Result<void> {
  return results.find(({ ok }) => !ok) ?? success(undefined);
}
