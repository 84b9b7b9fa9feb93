import { basename, dirname, join, resolve } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { cachedInputs } from '../../disk/read-inputs.js';
import { readRecord, requireInside } from '../../disk/record-file.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { planWaves, type WavePlan } from './plan-waves.js';
import { readRolloutPlan, rolloutFileName, type RolloutPlan } from './rollout-file.js';
import {
  readRolloutState,
  rolloutStateNames,
  type RolloutOperation,
  type RolloutState,
} from './rollout-state.js';
import { sitesOnHold } from '../table/site-row.js';
import { selectableSite } from '../table/site-selection.js';

/** An operation on the selected sites: the plan and the waves, with the state of an earlier run. */
export interface OpenedRollout {
  readonly operation: RolloutOperation;
  /** Name of the fleet in events. */
  readonly fleetName: string;
  readonly fleet: LoadedFleet;
  readonly plan: RolloutPlan;
  /** Release of an upgrade, or hash of the configuration to apply. */
  readonly release?: string;
  readonly waves: WavePlan;
  readonly earlier?: RolloutState;
  readonly outputs: string;
}

interface PlanPlace {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  /** The plan, by default rollout.yaml of the fleet. */
  readonly plan?: string;
}

/**
 * Reads the plan and the state of an earlier run. The state of an upgrade to another release, or of another configuration, does not count.
 * Problems: those of `readRolloutPlan`, rollout/state, dir/not-writable.
 */
export function openRollout(
  options: PlanPlace,
  operation: RolloutOperation,
  fleet: LoadedFleet,
  release?: string,
): Result<OpenedRollout> {
  const { dir } = options;
  const outputs = join(dir, fleet.fleet.outputs);
  const inside = requireInside(outputs, dir);
  const plan = planOf(options, fleet);
  const state = stateIn(join(outputs, rolloutStateNames[operation]), operation);
  if (!inside.ok || !plan.ok || !state.ok) return failure(...[inside, plan, state].flatMap(problemsOf));
  const earlier = release === undefined || state.value?.until === release ? state.value : undefined;
  const sites = fleet.rows.map((row) => selectableSite(row, fleet.fleet));
  const onHold = sitesOnHold(fleet.rows);
  const withHolds: RolloutPlan = {
    ...plan.value,
    isHeld: (site) => onHold.has(site.name) || plan.value.isHeld(site),
  };
  return success({
    operation,
    fleetName: basename(resolve(dir)),
    fleet,
    plan: withHolds,
    ...(release !== undefined && { release }),
    waves: planWaves(sites, withHolds, earlier),
    ...(earlier && { earlier }),
    outputs,
  });
}

function planOf({ dir, plan }: PlanPlace, fleet: LoadedFleet): Result<RolloutPlan> {
  if (plan === undefined) return readRolloutPlan(cachedInputs(dir, {}), rolloutFileName, fleet);
  return readRolloutPlan(cachedInputs(dirname(resolve(plan)), {}), basename(plan), fleet);
}

/** State of an earlier run; undefined without one. Problems: rollout/state, usage/unreadable-file. */
export function stateIn(path: string, operation: RolloutOperation): Result<RolloutState | undefined> {
  const text = readRecord(path);
  if (!text.ok || text.value === '') return text.ok ? success(undefined) : text;
  const state = readRolloutState(text.value, path);
  if (!state.ok || state.value.operation === operation) return state;
  return failure(problem('rollout/state', `${path} is the state of another operation`, {}));
}
