import type { PackResult } from '../../../fleet/store/index.js';
import { isError } from '../../../core/problem.js';
import { count } from '../../../run/problem-text.js';
import type { GlobalOptions } from '../../options.js';
import { isData, printData } from '../../output/data.js';
import { exitCodeOf, isLogged } from '../../output/report.js';
import type { StopSignals } from '../../stop-signals.js';
import {
  fleetProblemsForPrograms,
  printFleetProblems,
  reportFleetProblems,
} from '../print-fleet-problems.js';

/** Prints the result of `fleet pack` for a fleet with `sites` sites, and sets the exit code. */
export function printPacked(
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
