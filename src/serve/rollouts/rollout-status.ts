/** A rollout, as its state file in the output folder describes it. */
export interface RolloutStatus {
  readonly operation: 'apply' | 'boot' | 'reinstall' | 'upgrade';
  readonly state: RolloutState;
  /** Why it waits or stopped. */
  readonly message?: string;
  readonly waves: readonly RolloutWave[];
  readonly sites: ReadonlyMap<string, RolloutSite>;
}

export const rolloutStates = ['running', 'waiting', 'interrupted', 'stopped', 'complete'] as const;
export type RolloutState = (typeof rolloutStates)[number];

interface RolloutWave {
  readonly name: string;
  readonly state: 'pending' | 'running' | 'done' | 'failed';
}

export const rolloutSiteStates = ['held', 'pending', 'starting', 'waiting', 'done', 'failed'] as const;
export type RolloutSiteState = (typeof rolloutSiteStates)[number];

export interface RolloutSite {
  readonly wave?: string;
  readonly state: RolloutSiteState;
  /** RFC 3339. */
  readonly startedAt?: string;
  readonly finishedAt?: string;
  /** Reason of a failure. */
  readonly cause?: string;
}

/** Position of the wave that runs or ran last, from 1; 0 before the first. The name of a wave after a canary is another number. */
export function currentWave({ waves }: Pick<RolloutStatus, 'waves'>): number {
  return waves.findLastIndex(({ state }) => state !== 'pending') + 1;
}

/** Number of sites in each state. */
export function sitesByState({ sites }: Pick<RolloutStatus, 'sites'>): ReadonlyMap<RolloutSiteState, number> {
  const counts = new Map<RolloutSiteState, number>(rolloutSiteStates.map((state) => [state, 0]));
  for (const { state } of sites.values()) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}
