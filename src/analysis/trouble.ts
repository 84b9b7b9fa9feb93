import { linesBetween, ownLines, type JournalLine } from './journal.js';
import type { ServiceState, StageRun } from './records.js';
import { isOptionalStage } from './stages.js';

/** A stage that failed and has not succeeded since, or the running one. */
export interface Trouble {
  readonly service: string;
  /** Undefined if the service failed outside of any stage. */
  readonly stage?: string;
  /** `running`: the current stage, which has not failed. */
  readonly kind: 'failed' | 'running';
  /** Time of the first failure, or of the start. */
  readonly since?: string;
  readonly lastAt?: string;
  /** Number of consecutive failures. */
  readonly failures: number;
  /** Line, function and script of the first error. */
  readonly place?: string;
  /** Log lines since the last attempt began. */
  readonly lines: readonly JournalLine[];
}

/** A service's record and journal. */
export interface ServiceView {
  readonly service: string;
  readonly state: ServiceState;
  readonly journal: readonly JournalLine[];
}

/** The failure that blocks a service; undefined if there is none or the service recovered. */
export function failureOf({ service, state, journal }: ServiceView): Trouble | undefined {
  const at = state.runs.findLastIndex(
    ({ outcome, stage }) => outcome === 'failure' && !isOptionalStage(stage),
  );
  const run = state.runs[at];
  if (run === undefined || isOver(state, at, run)) return failureOutsideStages({ service, state, journal });
  const series = failuresInARow(state.runs, run.stage);
  return {
    service,
    stage: run.stage,
    kind: 'failed',
    failures: series.length,
    lines: linesOf(run, journal),
    ...(series[0]?.finishedAt !== undefined && { since: series[0].finishedAt }),
    ...(run.finishedAt !== undefined && { lastAt: run.finishedAt }),
    ...(run.errorLine !== undefined && { place: run.errorLine }),
  };
}

/** The running stage of a service. */
export function runningStageOf({ service, state, journal }: ServiceView): Trouble | undefined {
  const run = state.runs.at(-1);
  if (run?.outcome !== 'open') return undefined;
  return {
    service,
    stage: run.stage,
    kind: 'running',
    since: run.startedAt,
    failures: 0,
    lines: linesOf(run, journal),
  };
}

/** A failure is over when the stage succeeded later, or when a stage began that had not been reached before. */
function isOver({ runs, end }: ServiceState, at: number, failed: StageRun): boolean {
  const reached = new Set(runs.slice(0, at + 1).map(({ stage }) => stage));
  const later = runs.slice(at + 1);
  return (
    end?.result === 'success' ||
    later.some(({ stage, outcome }) => (stage === failed.stage ? outcome === 'success' : !reached.has(stage)))
  );
}

function failureOutsideStages({ service, state, journal }: ServiceView): Trouble | undefined {
  if (state.end?.result !== 'failure' || state.runs.at(-1)?.outcome === 'failure') return undefined;
  const words = (state.end.errorMessage ?? '').split('\n').map((text) => ({ text }));
  return {
    service,
    kind: 'failed',
    failures: 1,
    since: state.end.timestamp,
    lines: journal.length > 0 ? ownLines(journal.slice(-linesWithoutStage)) : words,
    ...(state.end.errorLine !== undefined && { place: state.end.errorLine }),
  };
}

const linesWithoutStage = 50;

function failuresInARow(runs: readonly StageRun[], stage: string): readonly StageRun[] {
  const same = runs.filter((run) => run.stage === stage);
  const lastSuccess = same.findLastIndex(({ outcome }) => outcome === 'success');
  return same.slice(lastSuccess + 1).filter(({ outcome }) => outcome === 'failure');
}

const waitStart = /^waiting for .*, at most \d+ s$/;

/** Log lines of a run since its last wait; earlier waits are over. */
function linesOf(run: StageRun, journal: readonly JournalLine[]): readonly JournalLine[] {
  const during = ownLines(linesBetween(journal, run.startedAt, run.finishedAt));
  const start = during.findLastIndex(({ text }) => text === `stage ${run.stage}`);
  const own = start === -1 ? during : during.slice(start);
  const words = (run.errorMessage ?? '').split('\n').filter((text) => text !== '');
  const said = own.length > 0 ? own : words.map((text) => ({ text }));
  const wait = said.findLastIndex(({ text }) => waitStart.test(text));
  return said.slice(Math.max(0, wait));
}
