import { isError } from '../core/problem.js';
import { problemsOf } from '../core/result.js';
import { inputsOf } from '../disk/read-inputs.js';
import { standardInput } from '../disk/outside/standard-input.js';
import { ofNoSite, type FleetProblem } from '../fleet/grouped-problems.js';
import { bootFaults } from '../fleet/boot/boot-sites.js';
import { recipientFaults } from '../fleet/making/fleet-order.js';
import type { AioOptions, GlobalOptions } from '../command-line/options.js';
import { count } from '../telling/problem-text.js';
import { exitCodeOf, shows } from '../command-line/output/report.js';
import { openedFleet } from '../fleet-command-line/fleet-request.js';
import type { FleetOptions } from '../fleet-command-line/fleet-options.js';
import { jobsIn, type JobsOption } from '../fleet-command-line/jobs-option.js';
import { judgedSites } from '../fleet-command-line/judged-sites.js';
import { fleetProblemsForPrograms, tellFleetProblems } from '../fleet-command-line/tell-fleet.js';

/** Judges every site of a fleet as `create` would, and tells what sites have in common once. */
export async function validateFleet(
  options: GlobalOptions & AioOptions & FleetOptions & JobsOption,
): Promise<void> {
  const jobs = jobsIn(options);
  if (jobs === undefined) return;
  const stdin = standardInput();
  const opened = openedFleet(options, stdin);
  const faults = opened.ok ? await recipientFaults(opened.value.fleet) : [];
  const ofFleet = [...problemsOf(opened), ...faults].map(ofNoSite);
  if (!opened.ok) {
    tell(options, ofFleet, []);
    return;
  }
  const { rows } = opened.value;
  const found = await judgedSites(options, { opened: opened.value, stdin, jobs });
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
