import { rfc3339 } from '../../core/rfc3339.js';
import type { Clock } from '../../core/clock.js';
import { isStarted, type WavePlan } from './plan-waves.js';
import type { RolloutPlan } from './rollout-file.js';
import type { RolloutOperation, RolloutSite, RolloutState, RolloutWave } from './rollout-state.js';

export interface RolloutStart {
  readonly operation: RolloutOperation;
  readonly plan: RolloutPlan;
  /** Release of an upgrade. The state has it instead of the criterion of the plan. */
  readonly release?: string;
  readonly waves: WavePlan;
  /** State of an earlier run that is continued. */
  readonly earlier?: RolloutState;
  /** Whether failed sites are tried again. One that was started only waits again. */
  readonly retriesFailed?: boolean;
  /** Whether the machine of a site that failed after its start was replaced, so that it must be started. */
  readonly isReplaced?: (site: string) => boolean;
  readonly clock: Clock;
}

/** The state with which a run begins: that of an earlier run, with the waves of this one. */
export function firstState({
  operation,
  plan,
  release = plan.until,
  waves,
  earlier,
  retriesFailed = false,
  isReplaced = () => false,
  clock,
}: RolloutStart): RolloutState {
  const now = rfc3339(clock.present());
  const isSamePlan = earlier?.plan === plan.digest;
  // Sites that are not selected. A changed plan forms new groups of the sites that have not started.
  const others = [...(earlier?.sites ?? [])].filter(([, site]) => isStarted(site) || isSamePlan);
  const sites = new Map<string, RolloutSite>(others);
  for (const name of waves.held) sites.set(name, { state: 'held', attempts: 0 });
  for (const wave of waves.waves)
    for (const name of wave.sites) {
      const known = sites.get(name);
      sites.set(
        name,
        known === undefined || known.state === 'held'
          ? { wave: wave.name, state: 'pending', attempts: 0 }
          : retriesFailed && known.state === 'failed'
            ? tryAgain(known, now, isReplaced(name))
            : known,
      );
    }
  return {
    operation,
    until: release,
    plan: plan.digest,
    state: 'running',
    startedAt: earlier?.startedAt ?? now,
    updatedAt: now,
    waves: wavesOf(
      waves.waves.map(({ name }) => name),
      sites,
      earlier?.waves ?? [],
    ),
    sites,
  };
}

/** A site that was started only waits again, with the full time limit, unless its machine was replaced. */
function tryAgain({ wave, bootedAt, attempts }: RolloutSite, now: string, isReplaced: boolean): RolloutSite {
  const own = { ...(wave !== undefined && { wave }), attempts };
  return bootedAt === undefined || isReplaced
    ? { ...own, state: 'pending' }
    : { ...own, state: 'waiting', startedAt: now, bootedAt };
}

/** The planned waves, after earlier waves of sites that are not selected. */
function wavesOf(
  planned: readonly string[],
  sites: ReadonlyMap<string, RolloutSite>,
  earlier: readonly RolloutWave[],
): readonly RolloutWave[] {
  const used = new Set([...sites.values()].map(({ wave }) => wave));
  const others = earlier.filter(({ name }) => used.has(name) && !planned.includes(name));
  return [
    ...others,
    ...planned.map(
      (name) => earlier.find((each) => each.name === name) ?? { name, state: 'pending' as const },
    ),
  ];
}
