/** An event of a rollout, as the receiver gets it. Contains no secret. */
export interface RolloutEvent {
  readonly event: RolloutEventName;
  readonly operation: 'apply' | 'boot' | 'reinstall' | 'upgrade';
  /** Name of the fleet's folder. */
  readonly fleet: string;
  /** Time of the event, RFC 3339. */
  readonly at: string;
  readonly wave?: string;
  readonly site?: string;
  /** Cause of a failure. */
  readonly cause?: string;
  /** Why the rollout waits or stopped. */
  readonly message?: string;
  /** Number of sites by state, after the event. */
  readonly counts: Readonly<Record<'done' | 'failed' | 'waiting' | 'pending' | 'held', number>>;
}

export type RolloutEventName =
  | 'rollout-started'
  | 'rollout-waiting'
  | 'rollout-stopped'
  | 'rollout-interrupted'
  | 'rollout-complete'
  | 'wave-started'
  | 'wave-done'
  | 'wave-failed'
  | 'site-started'
  | 'site-done'
  | 'site-failed';
