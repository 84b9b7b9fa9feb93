import type { FlagValues } from '../shared/flag-list.js';
import type { ObservedConfig } from './operator-config.js';

/** All that kube-scheduler is told, from which its configuration file and its flags are written. */
export interface SchedulerConfig {
  /** How it reaches the API, and who it is to it; it asks there too whom its own clients are. */
  readonly kubeconfig: string;
  /** Absent on one node without operators, where there is no other to take over. */
  readonly leaderElection?: LeaderElection;
  /** Absent means every address. */
  readonly bindAddress?: string;
  /** Where it keeps the certificate that it signs itself; absent means in memory. */
  readonly certFolder?: string;
  readonly serving: ObservedConfig['servingInfo'];
  /** By flag: feature gates, and what the user asked for. */
  readonly moreArguments: FlagValues;
}

/** How long a leader holds its lock; durations as Go writes them. The lock is a Lease. */
export interface LeaderElection {
  readonly leaseDuration: string;
  readonly renewDeadline: string;
  readonly retryPeriod: string;
  readonly resourceNamespace: string;
}
