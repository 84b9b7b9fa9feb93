import { isError } from '../core/problem.js';
import { problemsOf } from '../core/result.js';
import { inputsOf } from '../disk/read-inputs.js';
import { templatesFolder } from '../disk/own/package.js';
import type { FleetProblem } from '../fleet/grouped-problems.js';
import { bootFaults } from '../fleet/boot/boot-sites.js';
import { judgeFleet } from '../fleet/judge-fleet.js';
import { recipientFaults } from '../fleet/making/fleet-order.js';
import { rehearsedOutputs } from '../rehearsed-outputs.js';
import type { AioOptions, GlobalOptions } from '../command-line/options.js';
import { count } from '../telling/problem-text.js';
import { exitCodeOf, shows } from '../command-line/output/report.js';
import { siteProgress } from '../command-line/progress.js';
import { urlOrPath } from '../command-line/request.js';
import { openedFleet } from './fleet-request.js';
import type { FleetOptions } from './fleet-options.js';
import { fleetProblemsForPrograms, tellFleetProblems } from './tell-fleet.js';

/** Judges every site of a fleet as `create` would, and tells what sites have in common once. */
export async function validateFleet(options: GlobalOptions & AioOptions & FleetOptions): Promise<void> {
  const opened = openedFleet(options);
  const faults = opened.ok ? await recipientFaults(opened.value.fleet) : [];
  const ofFleet = [...problemsOf(opened), ...faults].map((problem) => ({ problem, sites: [] }));
  if (!opened.ok) {
    tell(options, ofFleet, []);
    return;
  }
  const { fleet, rows } = opened.value;
  const offline = options.offlineFiles;
  const surroundings = { now: new Date(), variables: process.env };
  const screen = siteProgress(options, rows.length);
  const found = await judgeFleet(
    opened.value,
    (inputs) =>
      rehearsedOutputs(
        {
          target: fleet.target,
          inputs,
          templatesFolder: templatesFolder(),
          ...(offline !== undefined && { offlineFiles: urlOrPath(offline) }),
        },
        surroundings,
      ),
    screen.onSite,
  );
  screen.done();
  tell(
    options,
    [...ofFleet, ...found, ...bootFaults(opened.value, inputsOf(options.dir, {}))],
    rows.map(({ name }) => name),
  );
}

function tell(options: GlobalOptions, found: readonly FleetProblem[], sites: readonly string[]): void {
  const problems = found.map(({ problem }) => problem);
  const errors = found.filter(({ problem }) => isError(problem));
  const faulty = new Set(errors.flatMap((each) => each.sites));
  if (options.output === 'json') {
    const shown = fleetProblemsForPrograms(options, found);
    const all = sites.map((name) => ({ name, ok: !faulty.has(name) }));
    const result = { ok: errors.length === 0, problems: shown, sites: all };
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  } else {
    tellFleetProblems(options, found, sites.length);
    if (errors.length > 0) process.stderr.write(`\n${count(errors.length, 'problem')}\n`);
    if (shows(options, 'info') && sites.length > 0)
      process.stdout.write(`${verdict(sites.length, faulty.size, problems.length)}\n`);
  }
  process.exitCode = exitCodeOf(problems);
}

function verdict(sites: number, faulty: number, problems: number): string {
  const all = count(sites, 'site');
  if (faulty > 0) return `${faulty} of ${all} cannot be made`;
  return problems === 0 ? `${all}: no problems found` : `${all}: no errors found`;
}
