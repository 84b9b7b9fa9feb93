import { byKey } from '../../core/compare.js';
import type { FlagValues } from '../shared/flag-list.js';
import type { EtcdConfig } from './config-model.js';

/**
 * etcd's configuration by flag without dashes. `initial-cluster` is omitted: etcd derives it from its name and peer URLs, and
 * ignores it when the data directory already holds a member or a restored snapshot. Auto compaction is omitted as well:
 * kube-apiserver compacts every five minutes (k8s.io/apiserver, storagebackend.DefaultCompactInterval).
 */
export function etcdFlags(config: EtcdConfig): FlagValues {
  const { client, peer, metrics } = config;
  return {
    name: [config.name],
    'data-dir': [config.dataDir],
    logger: ['zap'],
    'listen-client-urls': [client.listenUrl],
    'advertise-client-urls': [client.advertiseUrl],
    'cert-file': [client.certFile],
    'key-file': [client.keyFile],
    'client-cert-auth': ['true'],
    'trusted-ca-file': [config.trustedCaFile],
    'listen-peer-urls': [peer.listenUrl],
    'initial-advertise-peer-urls': [peer.advertiseUrl],
    'peer-cert-file': [peer.certFile],
    'peer-key-file': [peer.keyFile],
    'peer-client-cert-auth': ['true'],
    'peer-trusted-ca-file': [config.trustedCaFile],
    'listen-metrics-urls': [metrics.listenUrl],
    ...(metrics.isExtensive && { metrics: ['extensive'] }),
    'quota-backend-bytes': [String(config.quotaBackendBytes)],
    ...(config.snapshotCount !== undefined && { 'snapshot-count': [String(config.snapshotCount)] }),
    ...versionedFlags(config),
    ...tuningFlags(config),
    ...config.extraArguments,
  };
}

/** Splits etcd's flags into environment variables (the flags in `flagsOfEnvironment`) and command-line flags. */
export function splitEnvironmentFlags(flags: FlagValues): {
  readonly flags: FlagValues;
  readonly environment: readonly { readonly name: string; readonly value: string }[];
} {
  const isVariable = (flag: string): boolean => flagsOfEnvironment.has(flag.replace(/^experimental-/, ''));
  const entries = Object.entries(flags).toSorted(byKey);
  return {
    flags: Object.fromEntries(entries.filter(([flag]) => !isVariable(flag))),
    environment: entries
      .filter(([flag]) => isVariable(flag))
      .map(([flag, values]) => ({ name: environmentNameOf(flag), value: values.join(',') })),
  };
}

/** etcd 3.6 introduced feature gates and renamed the `experimental-` flags. Source: etcd CHANGELOG-3.6 */
export function hasFeatureGates({ version }: Pick<EtcdConfig, 'version'>): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 3 || (major === 3 && minor >= 6);
}

/** Flags that OpenShift sets through the environment. Source: cluster-etcd-operator pkg/etcdenvvar/etcd_env.go */
const flagsOfEnvironment: ReadonlySet<string> = new Set([
  'cipher-suites',
  'data-dir',
  'election-timeout',
  'enable-pprof',
  'heartbeat-interval',
  'max-learners',
  'name',
  'quota-backend-bytes',
  'socket-reuse-address',
  'tls-min-version',
  'warning-apply-duration',
  'watch-progress-notify-interval',
]);

/** Source: etcd pkg/flags, FlagToEnv */
function environmentNameOf(flag: string): string {
  return `ETCD_${flag.toUpperCase().replaceAll('-', '_')}`;
}

/** Checks the data against the log before etcd serves, and sends watch progress every 5 s, as kubeadm does. */
function versionedFlags(config: EtcdConfig): FlagValues {
  return {
    ...(hasFeatureGates(config)
      ? { 'feature-gates': ['InitialCorruptCheck=true'] }
      : { 'experimental-initial-corrupt-check': ['true'] }),
    [`${experimental(config)}watch-progress-notify-interval`]: ['5s'],
  };
}

function tuningFlags(config: EtcdConfig): FlagValues {
  const { tuning } = config;
  if (tuning === undefined) return {};
  return {
    'heartbeat-interval': [String(tuning.heartbeatMs)],
    'election-timeout': [String(tuning.electionMs)],
    'enable-pprof': ['true'],
    'socket-reuse-address': ['true'],
    [`${experimental(config)}warning-apply-duration`]: [`${tuning.warningApplyMs}ms`],
    [`${experimental(config)}max-learners`]: [String(tuning.maxLearners)],
    ...(tuning.cipherSuites && { 'cipher-suites': [tuning.cipherSuites.join(',')] }),
    'tls-min-version': [tuning.minTls],
  };
}

function experimental(config: EtcdConfig): '' | 'experimental-' {
  return hasFeatureGates(config) ? '' : 'experimental-';
}
