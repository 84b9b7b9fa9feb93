import type { FlagValues } from '../shared/flag-list.js';
import type { ObservedConfig } from './operator-config.js';

/** Complete configuration of kube-scheduler, the source of both its configuration file and its flags. */
export interface SchedulerConfig {
  /** Kubeconfig for the API; also used to authenticate and authorize the program's clients. */
  readonly kubeconfig: string;
  /** Absent on a single node without operators, where no other candidate exists. */
  readonly leaderElection?: LeaderElection;
  /** All addresses if absent. */
  readonly bindAddress?: string;
  /** Folder of the self-signed serving certificate; in memory if absent. */
  readonly certFolder?: string;
  readonly serving: ObservedConfig['servingInfo'];
  /** By flag: feature gates and the user's arguments. */
  readonly moreArguments: FlagValues;
}

/** Timing of the leader election lease; durations in Go's format. */
export interface LeaderElection {
  readonly leaseDuration: string;
  readonly renewDeadline: string;
  readonly retryPeriod: string;
  readonly resourceNamespace: string;
}
