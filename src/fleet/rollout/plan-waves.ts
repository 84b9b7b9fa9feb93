import type { SelectableSite } from '../table/site-selection.js';
import type { RolloutPlan } from './rollout-file.js';
import type { RolloutSite, RolloutState } from './rollout-state.js';

export const canaryWave = 'canary';

export interface PlannedWave {
  readonly name: string;
  /** In the order of the table; includes sites that an earlier run has started. */
  readonly sites: readonly string[];
}

/** The selected sites by wave. Sites on hold that have failed, or whose start was interrupted, are in neither list. */
export interface WavePlan {
  readonly waves: readonly PlannedWave[];
  readonly held: readonly string[];
}

export function isStarted({ state }: RolloutSite): boolean {
  return state !== 'held' && state !== 'pending';
}

/**
 * Groups sites into waves. A started site keeps its wave. With an unchanged plan the other sites keep theirs too; otherwise they are
 * grouped again, into waves after those that have started.
 */
export function planWaves(
  sites: readonly SelectableSite[],
  plan: Pick<RolloutPlan, 'isCanary' | 'isHeld' | 'waveSize' | 'digest'>,
  earlier?: Pick<RolloutState, 'plan' | 'waves' | 'sites'>,
): WavePlan {
  const [waves, held, ungrouped] = [new Map<string, string[]>(), [] as string[], [] as string[]];
  const put = (wave: string, name: string): void => {
    const present = waves.get(wave);
    if (present === undefined) waves.set(wave, [name]);
    else present.push(name);
  };
  let regular = 0;
  for (const site of sites) {
    const known = earlier?.sites.get(site.name);
    const hasStarted = known !== undefined && isStarted(known);
    const isCanary = plan.isCanary(site);
    // Whether a site in state `starting` was started is not known; it must not be started now.
    const isAwaited = hasStarted && known.state !== 'failed' && known.state !== 'starting';
    if (plan.isHeld(site) && !isAwaited) {
      if (!hasStarted) held.push(site.name);
      continue;
    }
    if (!isCanary) regular += 1;
    const isKept = hasStarted || earlier?.plan === plan.digest;
    if (known?.wave !== undefined && isKept) put(known.wave, site.name);
    else if (isCanary) put(canaryWave, site.name);
    else ungrouped.push(site.name);
  }
  const size = plan.waveSize(regular);
  const first = nextNumber(waves, sites, earlier);
  ungrouped.forEach((name, index) => {
    put(String(first + Math.floor(index / size)), name);
  });
  const names = [canaryWave, ...(earlier?.waves.map(({ name }) => name) ?? []), ...waves.keys()];
  return {
    waves: [...new Set(names)].flatMap((name) => {
      const own = waves.get(name);
      return own === undefined ? [] : [{ name, sites: own }];
    }),
    held,
  };
}

/** The first number that no wave has, neither one of these sites nor of sites that are not selected. */
function nextNumber(
  waves: ReadonlyMap<string, unknown>,
  sites: readonly SelectableSite[],
  earlier: Pick<RolloutState, 'sites'> | undefined,
): number {
  const selected = new Set(sites.map(({ name }) => name));
  const others = [...(earlier?.sites ?? [])].flatMap(([name, { wave }]) =>
    wave === undefined || selected.has(name) ? [] : [wave],
  );
  const numbers = [...waves.keys(), ...others].map(Number).filter(Number.isInteger);
  return numbers.reduce((most, each) => Math.max(most, each), 0) + 1;
}
