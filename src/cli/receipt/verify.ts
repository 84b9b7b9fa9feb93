import { dirname, isAbsolute, relative } from 'node:path';

import { problem, isError, type Problem } from '../../core/problem.js';
import { programVersion } from '../../core/program-version.js';
import { shownArgument } from '../../core/quoted.js';
import { printable } from '../../core/printable.js';
import { problemsOf } from '../../core/result.js';
import { buildId } from '../../disk/package.js';
import { inputProblems } from '../../disk/receipt/compare-inputs.js';
import { outputProblems } from '../../disk/receipt/compare-outputs.js';
import { readReceipt, type ReadReceipt } from '../../disk/receipt/read-receipt.js';
import { receiptsNamed } from '../../disk/receipt/receipts-named.js';
import { placed } from '../../sources/from-here.js';
import type { GlobalOptions } from '../options.js';
import { reportFound } from '../output/report.js';

/** What was found of one receipt. */
interface Verified {
  readonly file: string;
  /** Absent of one that cannot be used. */
  readonly read?: ReadReceipt;
  readonly problems: readonly Problem[];
}

/** Compares receipts with what stands beside them. What holds is printed whatever does not. */
export function verify(named: readonly string[], options: GlobalOptions): void {
  const { dir } = options;
  const found = (named.length > 0 ? named : [dir]).map(receiptsNamed);
  const verified = found.flatMap((each) => (each.ok ? each.value.map(verifyOne) : []));
  const problems = [...found.flatMap(problemsOf), ...verified.flatMap((each) => each.problems)];
  reportFound(options, {
    problems: problems.map((each) => placed(each, (file) => (isAbsolute(file) ? file : relative(dir, file)))),
    text: verified.map(textOf).join(''),
    json: { receipts: verified.flatMap(dataOf) },
  });
}

function verifyOne(file: string): Verified {
  const read = readReceipt(file);
  if (!read.ok) return { file, problems: read.problems };
  const folder = dirname(file);
  const { value } = read;
  return {
    file,
    read: value,
    problems: [...outputProblems(folder, value), ...inputProblems(folder, value), ...programProblems(value)],
  };
}

/** Warnings: receipt/other-program. */
function programProblems({ file, receipt: { program }, placeOf }: ReadReceipt): readonly Problem[] {
  const at = { file, ...placeOf(['program', 'version']) };
  if (program.version !== programVersion) {
    const message = `the outputs were made by another version of sno-install than ${programVersion}`;
    return [problem('receipt/other-program', message, { at })];
  }
  const own = buildId();
  return own === undefined || program.build === undefined || own === program.build
    ? []
    : [problem('receipt/other-program', 'the outputs were made by another build of this version', { at })];
}

function textOf({ file, read, problems }: Verified): string {
  if (read === undefined || problems.some(isError)) return '';
  const { target, cluster, issued, outputs, program } = read.receipt;
  const [made, from] = [counted(outputs.length, 'output'), counted(inputsOf(read).length, 'input')];
  const who = `${cluster.name}.${cluster.baseDomain}, ${target}`;
  const by = `sno-install ${program.version}, certificates of ${issued}`;
  return `${printable(`${file}: ${made} of ${from} as they were made (${who}; ${by})`)}\n`;
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** Nothing of a receipt that cannot be used: it may be anything. */
function dataOf({ file, read, problems }: Verified): readonly object[] {
  if (read === undefined) return [];
  const { target, cluster, issued, outputs, program } = read.receipt;
  const { version, build } = program;
  return [
    {
      path: file,
      ok: !problems.some(isError),
      target,
      cluster,
      program: { version, ...(build !== undefined && { build }) },
      issued,
      outputs: outputs.map(({ path }) => shownArgument(path)),
      inputs: inputsOf(read).map(shownArgument),
    },
  ];
}

/** The inputs that were there. */
function inputsOf({ receipt }: ReadReceipt): readonly string[] {
  return receipt.inputs.filter((input) => !('absent' in input)).map(({ path }) => path);
}
