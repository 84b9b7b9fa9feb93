import { join } from 'node:path';
import type { Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { rfc3339 } from '../../core/rfc3339.js';
import { replaceFile } from '../../disk/replace-file.js';
import { RolloutStateFault } from './rollout-progress.js';
import {
  countSites,
  rolloutStateNames,
  type RolloutState,
  type RolloutOperation,
  type RolloutSite,
} from './rollout-state.js';
import { runRollout, type RolloutNotice, type SiteOperation } from './run-rollout.js';
import type { EventSender } from '../../remote/webhook/event-sender.js';
import type { Clock } from '../../core/clock.js';
import { bundleFindings } from './bundle-findings.js';
import type { OpenedRollout } from './open-rollout.js';
import { csvCell } from '../../formats/table/csv-cell.js';

export interface RolloutResult {
  readonly state: RolloutState;
  /** Causes of failed sites, with the findings in their log bundles. */
  readonly causes: ReadonlyMap<string, string>;
  /** Warnings of the webhook, and problems of the audit record. */
  readonly problems: readonly Problem[];
}

/** Adds warnings of the checks before the run, and of the webhook after it. */
export function withProblems(
  result: RolloutResult,
  before: readonly Problem[],
  after: readonly Problem[] = [],
): RolloutResult {
  return { ...result, problems: [...before, ...result.problems, ...after] };
}

export interface RolloutRun {
  readonly sites: SiteOperation;
  readonly jobs: number;
  readonly stop: AbortSignal;
  readonly clock: Clock;
  readonly sender: EventSender;
  readonly retriesFailed: boolean;
  /** Whether the machine of a site was replaced since its last boot. */
  readonly isReplaced?: (site: string) => boolean;
  /** Receives the events, which are also sent. */
  readonly onNotice: (notice: RolloutNotice, state: RolloutState) => void;
}

/**
 * Runs the operation on the sites of an opened rollout with its state file, progress, events and audit record. The caller holds the
 * lock of the output folder. Problems: dir/not-writable.
 */
export async function driveRollout(rollout: OpenedRollout, run: RolloutRun): Promise<Result<RolloutResult>> {
  const { operation, outputs, fleetName } = rollout;
  const event = (notice: RolloutNotice, state: RolloutState): void => {
    const at = rfc3339(run.clock.present());
    run.sender.send({ ...notice, operation, fleet: fleetName, at, counts: countSites(state.sites.values()) });
    run.onNotice(notice, state);
  };
  try {
    const state = await runRollout({
      ...rollout,
      retriesFailed: run.retriesFailed,
      ...(run.isReplaced && { isReplaced: run.isReplaced }),
      sites: run.sites,
      jobs: run.jobs,
      stop: run.stop,
      clock: run.clock,
      write: (text) => replaceFile(join(outputs, rolloutStateNames[operation]), text),
      onNotice: event,
    });
    const causes = await bundleFindings(outputs, state);
    const written = replaceFile(join(outputs, rolloutCsvNames[operation]), rolloutCsv(state, causes));
    return success({ state, causes, problems: written.ok ? [] : written.problems });
  } catch (error) {
    if (!(error instanceof RolloutStateFault)) throw error;
    return failure(...error.problems);
  }
}

/** Audit record of each operation, in the outputs folder. */
const rolloutCsvNames: Readonly<Record<RolloutOperation, string>> = {
  apply: 'apply.csv',
  boot: 'rollout.csv',
  reinstall: 'reinstall.csv',
  upgrade: 'upgrade.csv',
};

const columns = [
  'site',
  'wave',
  'state',
  'startedAt',
  'bootedAt',
  'finishedAt',
  'seconds',
  'attempts',
  'cause',
];

/** A line for each site: waves in their order, then held sites. `causes` replaces the causes of the state. */
function rolloutCsv({ waves, sites }: RolloutState, causes: ReadonlyMap<string, string>): string {
  const order = new Map(waves.map(({ name }, index) => [name, index]));
  const rank = ({ wave }: RolloutSite): number => order.get(wave ?? '') ?? waves.length;
  const lines = [...sites]
    .toSorted(([, left], [, right]) => rank(left) - rank(right))
    .map(([name, site]) => lineOf(name, site, causes.get(name)));
  return [columns, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}

function lineOf(
  name: string,
  { wave, state, startedAt, bootedAt, finishedAt, attempts, cause }: RolloutSite,
  foundCause = cause,
): readonly string[] {
  const seconds =
    startedAt === undefined || finishedAt === undefined
      ? ''
      : String((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000);
  const times = [startedAt, bootedAt, finishedAt].map((time) => time ?? '');
  return [name, wave ?? '', state, ...times, seconds, String(attempts), foundCause ?? ''];
}
