import { fleetWide } from '../../../fleet/problems/index.js';
import { packFleet, type PackInputs, type PackResult } from '../../../fleet/store/index.js';
import { problemsOf } from '../../../core/result.js';
import type { GlobalOptions } from '../../options.js';
import { showSiteProgress, siteProgress } from '../../progress.js';
import { onStopSignals, type StopSignals } from '../../stop-signals.js';
import { checkedSites } from '../checked-sites.js';
import type { PackOptions } from '../fleet-options.js';
import { packInputs } from './pack-inputs.js';
import { isError } from '../../../core/problem.js';
import { count } from '../../../run/problem-text.js';
import { isData, printData } from '../../output/data.js';
import { exitCodeOf, isLogged } from '../../output/report.js';
import {
  fleetProblemsForPrograms,
  printFleetProblems,
  reportFleetProblems,
} from '../print-fleet-problems.js';

type Options = GlobalOptions & PackOptions;

/** Writes the packs of a fleet to its store, and prints the result. */
export async function packRequestedFleet(options: Options): Promise<void> {
  const signals = onStopSignals();
  try {
    const given = await packInputs(options, signals.stop);
    const packed = given.ok ? await packShown(options, given.value, signals.stop) : given;
    if (given.ok) for (const store of given.value.stores) store.close();
    const found = 'found' in packed ? packed.found : problemsOf(packed).map(fleetWide);
    const before = given.ok ? given.warnings.map(fleetWide) : [];
    const sites = given.ok ? given.value.opened.rows.length : 0;
    const result = { found: [...before, ...found], ...('done' in packed && { done: packed.done }) };
    printPacked(options, result, { signals, sites });
  } finally {
    signals.release();
  }
}

async function packShown(options: Options, given: PackInputs, stop: AbortSignal): Promise<PackResult> {
  const { dir, allowCommands } = options;
  const progress = siteProgress(options, given.shards, process.stderr, 'packing shards');
  try {
    return await packFleet({
      ...given,
      ...{ dir, stop, onPack: progress.onSite, showProgress: showSiteProgress(options) },
      ...(allowCommands && { allowCommands }),
      check: (sites) => checkedSites(options, sites, given.surroundings),
    });
  } finally {
    progress.done();
  }
}

/** Prints the result of `fleet pack` for a fleet with `sites` sites, and sets the exit code. */
function printPacked(
  options: GlobalOptions,
  { found, done }: PackResult,
  { signals, sites }: { readonly signals: StopSignals; readonly sites: number },
): void {
  const problems = found.map(({ problem: each }) => each);
  const isStopped = done === undefined && signals.stop.aborted;
  const uploaded = (done?.packs ?? []).filter(({ isKnown }) => !isKnown);
  const bytes = uploaded.reduce((sum, each) => sum + each.bytes, 0);
  if (isData(options)) {
    const result = done && {
      ...{ shards: done.shards, sites: done.sites, fleetId: done.fleetId },
      ...{ uploaded: uploaded.length, uploadedBytes: bytes },
    };
    const ok = done !== undefined && !problems.some(isError);
    printData(options, { ok, problems: fleetProblemsForPrograms(options, found), ...result });
  } else if (done === undefined) {
    reportFleetProblems(options, found, sites);
    if (isStopped) process.stderr.write('interrupted; the store keeps the earlier packs\n');
  } else {
    printFleetProblems(options, found, done.sites);
    if (isLogged(options, 'info'))
      process.stdout.write(
        `packed ${count(done.sites, 'site')} in ${count(done.shards, 'shard')}: ${uploaded.length} uploaded (${bytes} bytes), ` +
          `${done.shards - uploaded.length} unchanged\nfleet ID: ${done.fleetId}\n`,
      );
  }
  process.exitCode = isStopped ? signals.exitCode() : exitCodeOf(problems);
}
