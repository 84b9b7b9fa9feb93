import type { ProgramVersions } from '../../release/flags/check-flags.js';
import type { FlagValues } from '../shared/flag-list.js';

/** Configuration of a single-member etcd; the source of the arguments of both dialects. */
export interface EtcdConfig {
  readonly version: ProgramVersions['etcd'];
  readonly name: string;
  readonly dataDir: string;
  readonly client: Listener;
  readonly peer: Listener;
  readonly trustedCaFile: string;
  readonly metrics: { readonly listenUrl: string; readonly isExtensive: boolean };
  readonly quotaBackendBytes: number;
  /** Writes between two snapshots of the log; etcd's default if absent. */
  readonly snapshotCount?: number;
  /** Additional settings of OpenShift; etcd's defaults if absent. */
  readonly tuning?: EtcdTuning;
  /** The user's arguments, by flag; they override the generated ones. */
  readonly extraArguments: FlagValues;
}

/** A TLS listener: the URL that etcd listens on and the URL that it advertises. */
export interface Listener extends PairFiles {
  readonly listenUrl: string;
  readonly advertiseUrl: string;
}

/** Paths of a certificate and its key inside the container. */
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
  /** Minimum version; etcd supports none below TLS 1.2. */
  readonly minTls: 'TLS1.2' | 'TLS1.3';
}

/** The settings that differ between the dialects. */
export type EtcdListeners = Pick<EtcdConfig, 'metrics' | 'snapshotCount' | 'tuning'> &
  Readonly<Record<'client' | 'peer', Omit<Listener, keyof PairFiles>>>;
