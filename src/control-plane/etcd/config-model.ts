import type { ProgramVersions } from '../../release/flags/check-flags.js';
import type { FlagValues } from '../shared/flag-list.js';

/** etcd of one node: what it listens on, with which files, and its limits. Both dialects' arguments come from it. */
export interface EtcdConfig {
  readonly version: ProgramVersions['etcd'];
  readonly name: string;
  readonly dataDir: string;
  readonly client: Listener;
  readonly peer: Listener;
  readonly trustedCaFile: string;
  readonly metrics: { readonly listenUrl: string; readonly isExtensive: boolean };
  readonly quotaBackendBytes: number;
  /** Writes between two snapshots of the log; absent means etcd's own choice. */
  readonly snapshotCount?: number;
  /** What OpenShift sets besides; absent means etcd's own choice. */
  readonly tuning?: EtcdTuning;
  /** The user's, by flag; they take the place of ours. */
  readonly extraArguments: FlagValues;
}

/** Where etcd listens with TLS, and what it tells others of that. */
export interface Listener extends PairFiles {
  readonly listenUrl: string;
  readonly advertiseUrl: string;
}

/** Paths of a certificate and its key, as the containers see them. */
export interface PairFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

interface EtcdTuning {
  readonly heartbeatMs: number;
  readonly electionMs: number;
  readonly warningApplyMs: number;
  readonly maxLearners: number;
  readonly cipherSuites?: readonly string[];
  /** The oldest; etcd has no older ones than these. */
  readonly minTls: 'TLS1.2' | 'TLS1.3';
}

/** What the dialects differ in. */
export type Listening = Pick<EtcdConfig, 'metrics' | 'snapshotCount' | 'tuning'> &
  Readonly<Record<'client' | 'peer', Omit<Listener, keyof PairFiles>>>;
