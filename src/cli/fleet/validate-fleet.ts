import { fleetWide, type FleetProblem } from '../../fleet/problems/index.js';
import { bootFaults } from '../../fleet/boot/index.js';
import { recipientFaults, openRequestedFleetToCheck } from '../../fleet/build/index.js';
import { isSelected, type SiteRow } from '../../fleet/table/index.js';
import { processSurroundings } from '../surroundings.js';
import { isError, type Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { isFipsHost } from '../../disk/file-systems/fips-host.js';
import { cachedInputs } from '../../disk/read-inputs.js';
import { standardInput } from '../../disk/external-files/standard-input.js';
import type { AioOptions, GlobalOptions } from '../options.js';
import { count, problemCounts } from '../../run/problem-text.js';
import { exitCodeOf, isLogged, machineReadable } from '../output/report.js';
import type { FleetOptions } from './fleet-options.js';
import { parseJobs, type JobsOption } from './jobs-option.js';
import { checkedSites } from './checked-sites.js';
import { fleetProblemsShown, reportFleetProblems } from './print-fleet-problems.js';
import { isData, printData } from '../output/data.js';
import { problemReport } from '../output/problem-report.js';

/** Checks every site of a fleet as `create` would. Reports shared problems once. */
export async function validateFleet(
  options: GlobalOptions & AioOptions & FleetOptions & JobsOption,
): Promise<void> {
  const jobs = parseJobs(options);
  if (jobs === undefined) return;
  const stdin = standardInput();
  const opened = openRequestedFleetToCheck(options, processSurroundings(stdin));
  const faults = opened.ok ? await recipientFaults(opened.value.fleet) : [];
  const ofTable = opened.ok ? opened.value.faults : [];
  const ofFleet = [...problemsOf(opened), ...ofTable, ...faults].map(fleetWide);
  if (!opened.ok) {
    await reportValidation(options, ofFleet, { names: [], refused: [] });
    return;
  }
  const { rows, table } = opened.value;
  const found = await checkedSites(
    options,
    { opened: opened.value, jobs, isFipsHost: isFipsHost() },
    processSurroundings(stdin),
  );
  // The values of these rows are not known.
  const leftOut = table.leftOut.filter(
    (name) => options.where.length === 0 && isSelected(name, options.only),
  );
  await reportValidation(
    options,
    [...ofFleet, ...found, ...bootFaults(opened.value, cachedInputs(options.dir, {}))],
    {
      names: [...rows.map(({ name }) => name), ...leftOut],
      refused: [...refusedNames(rows), ...leftOut],
    },
  );
}

/** Invalid and duplicate site names. */
function refusedNames(rows: readonly SiteRow[]): readonly string[] {
  const known = new Set<string>();
  return rows.flatMap(({ name, isMisnamed }) => {
    const isRefused = isMisnamed === true || known.has(name);
    known.add(name);
    return isRefused ? [name] : [];
  });
}

interface CheckedSites {
  readonly names: readonly string[];
  /** Sites that cannot be generated because of faults in the table. */
  readonly refused: readonly string[];
}

async function reportValidation(
  options: GlobalOptions,
  found: readonly FleetProblem[],
  { names: sites, refused }: CheckedSites,
): Promise<void> {
  const problems = found.map(({ problem }) => problem);
  const errors = found.filter(({ problem }) => isError(problem));
  const faulty = new Set([...refused, ...errors.flatMap((each) => each.sites)]);
  const named = fleetProblemsShown(options, found, sites.length);
  const shown = named.map((each) => machineReadable(options.dir, each));
  const report = await problemReport(options, [{ dir: options.dir, problems: shown }]);
  if (report !== undefined) {
    process.stdout.write(report);
  } else if (isData(options)) {
    const all = sites.map((name) => ({ name, ok: !faulty.has(name) }));
    const result = { ok: errors.length === 0, problems: shown, sites: all };
    printData(options, result);
  } else {
    reportFleetProblems(options, found, sites.length);
    if (isLogged(options, 'info') && sites.length > 0)
      process.stdout.write(
        `${errors.some((each) => each.sites.length === 0) ? noneMade(sites.length) : verdict(sites.length, faulty.size, problems)}\n`,
      );
  }
  process.exitCode = exitCodeOf(problems);
}

function noneMade(sites: number): string {
  return `${count(sites, 'site')}: cannot be created until the errors of the fleet are fixed`;
}

function verdict(sites: number, faulty: number, problems: readonly Problem[]): string {
  const all = count(sites, 'site');
  if (faulty > 0) return `${faulty} of ${all} have errors`;
  return `${all}: ${problems.length === 0 ? 'no problems found' : `no errors found, ${problemCounts(problems)}`}`;
}
