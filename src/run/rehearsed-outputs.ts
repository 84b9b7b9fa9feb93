import type { OutputFile } from '../core/output-file.js';
import { success, type Result } from '../core/result.js';
import { emptyState } from '../disk/state/state-file.js';
import { inputsAmong, type Variables } from '../disk/environment.js';
import { rehearsedDraws } from './effects/rehearsal.js';
import type { Inputs, Templates } from '../graph/context.js';
import { makeTarget, type MakingStart } from './making.js';
import type { TargetName } from './targets.js';

/** When everything in a golden tree is issued: one time for all machines and years. */
const goldenTime = new Date('2026-01-02T03:04:05Z');

/** Inputs that are no directory with a state of its own. */
export interface RehearsalRequest {
  readonly target: TargetName;
  /** The user's files, of which none is known to be written by an earlier run. */
  readonly inputs: Inputs;
  readonly templates: Templates;
  /** What `--offline-files` says: a URL, or the absolute path of a folder. */
  readonly offlineFiles?: string;
}

/** What is the same everywhere in a golden tree, and is of here and now in what is only judged. */
export interface Surroundings {
  readonly now: Date;
  readonly variables: Variables;
}

/**
 * What a target makes of a site with stand-ins in the place of every draw (decision 26) and at one time: the same on each machine,
 * whatever its environment, clock and state files say. Nothing of it boots: its keys are none.
 * Problems: those of every asset.
 */
export function goldenOutputs(request: RehearsalRequest): Promise<Result<readonly OutputFile[]>> {
  return rehearsedOutputs(request, { now: goldenTime, variables: {} });
}

/** The same here and now: what `create` would find, and nothing that it could write. Problems: those of every asset. */
export async function rehearsedOutputs(
  request: RehearsalRequest,
  surroundings: Surroundings,
): Promise<Result<readonly OutputFile[]>> {
  const made = await makeTarget(request, startOf(request, surroundings), () => rehearsedDraws({}));
  return made.ok ? success(made.value.resolved.files, made.value.warnings) : made;
}

function startOf({ inputs, offlineFiles }: RehearsalRequest, { now, variables }: Surroundings): MakingStart {
  return {
    state: emptyState,
    source: 'no state',
    isFile: false,
    clock: { now, draws: {} },
    given: inputsAmong(variables, offlineFiles === undefined ? {} : { offlineFiles }),
    inputs,
  };
}
