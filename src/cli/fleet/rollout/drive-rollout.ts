import { basename, join, resolve } from 'node:path';

import type { Problem } from '../../../core/problem.js';
import { failure, success, type Result } from '../../../core/result.js';
import { rfc3339 } from '../../../core/rfc3339.js';
import { replaceFile } from '../../../disk/replace-file.js';
import { rolloutCsv, rolloutCsvNames } from '../../../fleet/rollout/rollout-csv.js';
import { RolloutStateFault } from '../../../fleet/rollout/rollout-progress.js';
import { countSites, rolloutStateNames, type RolloutState } from '../../../fleet/rollout/rollout-state.js';
import { runRollout, type RolloutNotice, type SiteOperation } from '../../../fleet/rollout/run-rollout.js';
import type { EventSender } from '../../../remote/webhook/event-sender.js';
import type { GlobalOptions } from '../../options.js';
import { progressForm, stderrScreen } from '../../wait/progress-form.js';
import { realClock } from '../../wait/wait-clock.js';
import { bundleFindings } from './bundle-findings.js';
import type { OpenedRollout } from './open-rollout.js';
import type { RolloutOptions } from './rollout-options.js';
import { rolloutLines } from './rollout-lines.js';

type Options = GlobalOptions & RolloutOptions;

export interface RolloutResult {
  readonly state: RolloutState;
  /** Causes of failed sites, with the findings in their log bundles. */
  readonly causes: ReadonlyMap<string, string>;
  /** Warnings of the webhook, and problems of the audit record. */
  readonly problems: readonly Problem[];
}

/**
 * Runs the operation on the sites of an opened rollout with its state file, progress, events and audit record. The caller holds the
 * lock of the output folder. Problems: dir/not-writable.
 */
export async function driveRollout(
  options: Options,
  rollout: OpenedRollout,
  run: {
    readonly sites: SiteOperation;
    readonly jobs: number;
    readonly stop: AbortSignal;
    readonly sender: EventSender;
    readonly isReplaced?: (site: string) => boolean;
  },
): Promise<Result<RolloutResult>> {
  const { operation, outputs } = rollout;
  const lines = rolloutLines(progressForm(options), stderrScreen(), () => new Date());
  const event = (notice: RolloutNotice, state: RolloutState): void => {
    const at = rfc3339(new Date());
    const fleet = basename(resolve(options.dir));
    run.sender.send({ ...notice, operation, fleet, at, counts: countSites(state.sites.values()) });
    lines.onNotice(notice, state);
  };
  try {
    const state = await runRollout({
      ...rollout,
      retriesFailed: options.retryFailed === true,
      ...(run.isReplaced && { isReplaced: run.isReplaced }),
      sites: run.sites,
      jobs: run.jobs,
      stop: run.stop,
      clock: realClock,
      write: (text) => replaceFile(join(outputs, rolloutStateNames[operation]), text),
      onNotice: event,
    });
    const causes = await bundleFindings(outputs, state);
    const written = replaceFile(join(outputs, rolloutCsvNames[operation]), rolloutCsv(state, causes));
    return success({ state, causes, problems: written.ok ? [] : written.problems });
  } catch (error) {
    if (!(error instanceof RolloutStateFault)) throw error;
    return failure(...error.problems);
  } finally {
    lines.done();
  }
}
