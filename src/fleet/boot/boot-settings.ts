export type BootMode = 'boot' | 'eject' | 'check' | 'dry-run';

/** Time limits for a BMC. */
export interface BmcLimits {
  /** Limit of one request. */
  readonly questionMs: number;
  /** Limit of one site. */
  readonly siteMs: number;
  /** Time for a BMC to show an inserted or ejected medium. */
  readonly mediumMs: number;
}

/** What to do at the BMCs, and how long. */
export interface BootSettings extends BmcLimits {
  readonly mode: BootMode;
  /** Number of BMCs to contact in parallel. */
  readonly jobs: number;
  readonly ejectAfterMs?: number;
}
