import { shellWord } from '../formats/shell-word.js';
import type { AnalysisReport, FaultReport, StageReport } from './describe.js';

/** Where a user finds the files of a bundle. */
export interface BundlePlace {
  /** Command that unpacks an archive. */
  readonly unpack?: string;
  /** Path of the bundle's files, with a `/` at its end, or empty. */
  readonly folder: string;
}

/** The text form of an analysis. */
export function renderAnalysis(name: string, report: AnalysisReport, place: BundlePlace): string {
  const blocks = [
    [`${name}: ${headlineOf(report)}`],
    report.at === undefined ? [] : stageLines(report.at),
    ...report.faults.map((fault) => faultLines(fault, 'likely cause', report.at?.lastError)),
    report.verdict === 'failed' && report.faults.length === 0
      ? ['No known fault found. docs/boot-flow.md describes the stage.']
      : [],
    listOf(
      'also failed',
      report.others.map(({ service, stage, lastError }) =>
        [stage === undefined ? service : `${service}, stage ${stage}`, lastError].filter(Boolean).join(': '),
      ),
    ),
    listOf('other failed units', report.failedUnits),
    ...report.notes.map((fault) => faultLines(fault, 'note')),
    report.verdict === 'complete' ? [] : readNextLines(report.readNext, place),
    listOf('bundle notes', report.bundleNotes),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

const places = {
  live: 'in the live system',
  node: 'on the installed node',
  aio: 'on the all-in-one node',
} as const;

const completions = {
  live: 'the disk is written and the machine is rebooting; gather a bundle from the installed node for the next phase',
  node: 'the cluster is complete',
  aio: 'the all-in-one node is complete',
} as const;

function headlineOf({ verdict, phase, createdBy, bundleNotes }: AnalysisReport): string {
  const place = places[phase];
  const tool = createdBy === 'openshift-install' ? ' (openshift-install bundle)' : '';
  switch (verdict) {
    case 'failed':
      return `the installation has stopped ${place}${tool}`;
    case 'blocked':
      return `the installation is still running ${place}, but a known fault blocks the stage below${tool}`;
    case 'will-fail':
      return `the installation is running ${place}, but a check found a fault that will stop it${tool}`;
    case 'in-progress':
      // Each remark names a part that is missing or was not read.
      return bundleNotes.length === 0
        ? `the installation is running ${place}; no fault found${tool}`
        : `no fault found ${place}, in the parts of the bundle that were read${tool}`;
    case 'complete':
      return `${completions[phase]}${tool}`;
  }
}

function stageLines(stage: StageReport): readonly string[] {
  const { service, failures, since, lastAt, place, lastError, lastLines } = stage;
  const times = failures > 1 && lastAt !== undefined ? `, ${failures} times in a row, last at ${lastAt}` : '';
  const name = stage.stage === undefined ? service : `${stage.stage} (${service})`;
  const shown = lastLines.filter((line) => line !== lastError);
  return [
    `stage:      ${name}`,
    ...(since === undefined ? [] : [`since:      ${since}${times}`]),
    ...(lastError === undefined ? [] : [`last error: ${lastError}`]),
    ...(place === undefined ? [] : [`at line:    ${place}`]),
    ...listOf(stage.state === 'running' ? 'last lines' : 'lines before', shown),
  ];
}

function faultLines(
  { id, title, unit, line, time, cause, fix }: FaultReport,
  heading: string,
  lastError?: string,
): readonly string[] {
  const shown = line === lastError ? 'the last error above' : line;
  return [
    `${heading}: ${title} [${id}]`,
    `  log of ${unit}${time === undefined ? '' : ` at ${time}`}: ${shown}`,
    `  cause: ${cause}`,
    `  to do: ${fix}`,
  ];
}

/** Paths and a command that can be pasted into a shell. */
function readNextLines(paths: readonly string[], { unpack, folder }: BundlePlace): readonly string[] {
  const title = unpack === undefined ? 'read next' : `read next, after \`${unpack}\``;
  return listOf(
    title,
    paths.map((path) => shellWord(`${folder}${path}`)),
  );
}

function listOf(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}
