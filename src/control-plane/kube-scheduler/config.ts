import type { ControlPlaneInputs } from '../../loops/loop-inputs.js';
import type { Store } from '../../loops/store.js';
import { featureGateFlags, type FlagValues } from '../shared/flag-list.js';
import { revisionedConfigMap } from '../shared/mounted-paths.js';
import { schedulerOperators, type ObservedConfig } from './operator-config.js';

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

interface LeaderElection {
  readonly leaseDuration: string;
  readonly renewDeadline: string;
  readonly retryPeriod: string;
  readonly resourceNamespace: string;
}

/** Undefined before anything was observed. */
export function schedulerConfig(inputs: ControlPlaneInputs, store: Store): SchedulerConfig | undefined {
  const observed = store.get(schedulerOperators, '', 'cluster')?.spec.observedConfig;
  if (observed === undefined) return undefined;
  return {
    kubeconfig: revisionedConfigMap('scheduler-kubeconfig', 'kubeconfig'),
    ...(inputs.profile === 'OpenShift'
      ? { leaderElection: ofOperator, certFolder: '/var/run/kubernetes' }
      : { bindAddress: inputs.networks.family === 'IPv6' ? '::1' : '127.0.0.1' }),
    serving: observed.servingInfo,
    moreArguments: { ...featureGateFlags(inputs), ...inputs.extraArguments['kube-scheduler'] },
  };
}

/**
 * The file that kube-scheduler reads with `--config`. Without a leader to elect it starts at once, and writes no lease
 * every few seconds. Source: kubernetes.io/docs/reference/config-api/kube-scheduler-config.v1
 */
export function configFile({
  kubeconfig,
  leaderElection,
}: SchedulerConfig): Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    clientConnection: { kubeconfig },
    enableContentionProfiling: false,
    enableProfiling: false,
    leaderElection:
      leaderElection === undefined
        ? { leaderElect: false }
        : { leaderElect: true, resourceLock: 'leases', ...leaderElection },
  };
}

/** What the file cannot say. */
export function schedulerFlags(config: SchedulerConfig): FlagValues {
  const { kubeconfig, bindAddress, certFolder, serving } = config;
  return {
    config: [revisionedConfigMap('config', 'config.yaml')],
    'authentication-kubeconfig': [kubeconfig],
    'authorization-kubeconfig': [kubeconfig],
    ...(bindAddress !== undefined && { 'bind-address': [bindAddress] }),
    ...(certFolder !== undefined && { 'cert-dir': [certFolder] }),
    'tls-cipher-suites': [serving.cipherSuites.join(',')],
    'tls-min-version': [serving.minTLSVersion],
    v: ['2'],
    ...config.moreArguments,
  };
}

/** Long, so that no scheduler gives up its lease while kube-apiserver restarts. Source: cluster-kube-scheduler-operator bindata/assets/config/defaultconfig.yaml */
const ofOperator: LeaderElection = {
  leaseDuration: '137s',
  renewDeadline: '107s',
  retryPeriod: '26s',
  resourceNamespace: 'openshift-kube-scheduler',
};
