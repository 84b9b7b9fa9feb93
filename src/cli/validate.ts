import { readPayloadConfig } from '../config/reading/payload-config.js';
import { isError, type Problem } from '../core/problem.js';
import { problemsOf } from '../core/result.js';
import { cachedInputs } from '../disk/read-inputs.js';
import { check } from '../run/run.js';
import { isTargetName, type TargetName } from '../run/targets.js';
import type { AioOptions, GlobalOptions, ValidateOptions } from './options.js';
import type { CheckedDirectory } from './output/formats/junit.js';
import { problemReport } from './output/problem-report.js';
import { problemCounts } from '../run/problem-text.js';
import { exitCodeOf, machineReadable, reportProblems, isLogged } from './output/report.js';
import { runRequest, sourcesOf, type RequestSources } from './request.js';
import { conflictError } from './usage-error.js';
import { printData } from './output/data.js';

/** Performs a dry run of `create` in each directory and reports its problems. The exit code is the highest of all directories. */
export async function validate(
  dirs: readonly string[],
  given: ValidateOptions,
  options: GlobalOptions & AioOptions,
): Promise<void> {
  const { target } = given;
  if (!isTargetName(target)) throw new Error(`internal error: unknown target ${target}`);
  if (
    dirs.length > 0 &&
    (given.isDirGiven || options.state !== undefined || options.stateCommand !== undefined)
  ) {
    const other = given.isDirGiven ? '--dir' : '--state';
    conflictError(
      options,
      `directories and ${other} cannot be combined`,
      'use either directory arguments or --dir',
    );
    return;
  }
  const sources = sourcesOf(options);
  const checked: CheckedDirectory[] = [];
  for (const dir of dirs.length === 0 ? [options.dir] : dirs) {
    checked.push({ dir, problems: await problemsIn(target, { ...options, dir }, sources) });
  }
  await show(checked, options);
  process.exitCode = Math.max(...checked.map(({ problems }) => exitCodeOf(problems)));
}

async function problemsIn(
  target: TargetName,
  options: GlobalOptions & AioOptions,
  sources: RequestSources,
): Promise<readonly Problem[]> {
  const checked = await check(runRequest(target, options, { sources, isStateOptional: true }));
  // Only `create payload` reads this file.
  const ofPayload = readPayloadConfig(cachedInputs(options.dir, {}));
  return [...problemsOf(checked), ...problemsOf(ofPayload)];
}

async function show(checked: readonly CheckedDirectory[], options: GlobalOptions): Promise<void> {
  if (options.output === 'text') {
    showText(checked, options);
    return;
  }
  const named = checked.map(({ dir, problems }) => ({
    dir,
    problems: problems.map((found) => machineReadable(dir, found)),
  }));
  const report = await problemReport(options, named);
  if (report === undefined) printData(options, jsonOf(named));
  else process.stdout.write(report);
}

function jsonOf(named: readonly CheckedDirectory[]): object {
  const problems = named.flatMap((each) => each.problems);
  const directories = named.map((each) => ({ dir: each.dir, ok: !each.problems.some(isError) }));
  return { ok: !problems.some(isError), problems, directories };
}

function showText(checked: readonly CheckedDirectory[], options: GlobalOptions): void {
  for (const { dir, problems } of checked) reportProblems({ ...options, dir }, problems);
  if (!isLogged(options, 'info')) return;
  const [first] = checked;
  if (checked.length === 1 && first !== undefined) {
    if (!first.problems.some(isError)) process.stdout.write(`${verdictOf(first.problems)}\n`);
    return;
  }
  for (const { dir, problems } of checked) process.stdout.write(`${dir}: ${verdictOf(problems)}\n`);
}

function verdictOf(problems: readonly Problem[]): string {
  if (problems.some(isError)) return problemCounts(problems);
  return problems.length === 0 ? 'no problems found' : `no errors found, ${problemCounts(problems)}`;
}
