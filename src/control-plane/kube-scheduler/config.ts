import type { LoopInputs } from '../loops/loop-inputs.js';
import type { Store } from '../loops/store.js';
import { featureGateFlags, type FlagValues } from '../shared/flag-list.js';
import { revisionedConfigMap } from '../shared/mounted-paths.js';
import type { SchedulerConfig } from './config-model.js';
import type { SchedulerDialect } from './dialect.js';
import { schedulerOperators } from './operator-config.js';

/** Undefined before config observation has run. */
export function schedulerConfig(
  dialect: Pick<SchedulerDialect, 'config'>,
  inputs: LoopInputs,
  store: Store,
): SchedulerConfig | undefined {
  const observed = store.get(schedulerOperators, '', 'cluster')?.spec.observedConfig;
  if (observed === undefined) return undefined;
  return {
    kubeconfig: revisionedConfigMap('scheduler-kubeconfig', 'kubeconfig'),
    ...dialect.config(inputs),
    serving: observed.servingInfo,
    moreArguments: { ...featureGateFlags(inputs), ...inputs.extraArguments['kube-scheduler'] },
  };
}

/**
 * The configuration file for `--config`. Without leader election kube-scheduler starts immediately and writes no lease every few
 * seconds. Source: kubernetes.io/docs/reference/config-api/kube-scheduler-config.v1
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

/** Settings that the configuration file does not support. */
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
