import { certsMountPath } from '../../kube/components.js';
import type { ControlPlaneInputs, Versions } from '../../loops/loop-inputs.js';
import type { FlagValues } from '../shared/flag-list.js';
import { intermediateTls, type TlsProfile } from '../shared/tls-profile.js';

/** etcd of one node: what it listens on, with which files, and its limits. Both profiles' arguments come from it. */
export interface EtcdConfig {
  readonly version: Versions['etcd'];
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

interface Listener extends PairFiles {
  readonly listenUrl: string;
  readonly advertiseUrl: string;
}

interface PairFiles {
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

/** Where etcd keeps its data. */
export const etcdDataFolder = '/var/lib/etcd';

/** The metrics and health of the profile Kubernetes, without TLS. Source: kubeadm, constants.EtcdMetricsPort */
export const etcdHealthPort = 2381;

/** As the cluster's TLS profile asks, or Intermediate. */
export function etcdConfig(inputs: ControlPlaneInputs, tls: TlsProfile = intermediateTls): EtcdConfig {
  const pair = (use: 'peer' | 'serving'): PairFiles => etcdPairFiles(use, inputs);
  const common = {
    version: inputs.versions.etcd,
    name: inputs.node.name,
    dataDir: etcdDataFolder,
    trustedCaFile: `${bundleFolder}/server-ca-bundle.crt`,
    // 8 GiB, the most that etcd recommends. Source: cluster-etcd-operator pkg/etcdenvvar; etcd.io/docs/v3.6/dev-guide/limit
    quotaBackendBytes: 8 * 1024 ** 3,
    extraArguments: inputs.extraArguments.etcd,
  };
  const listeners = inputs.profile === 'OpenShift' ? ofOperators(inputs, tls) : onLoopback(inputs);
  return {
    ...common,
    ...listeners,
    client: { ...listeners.client, ...pair('serving') },
    peer: { ...listeners.peer, ...pair('peer') },
  };
}

/** The pair that etcd shows as a server and uses as a client; paths as the containers see them. */
export function etcdPairFiles(
  use: 'peer' | 'serving' | 'serving-metrics',
  { node }: Pick<ControlPlaneInputs, 'node'>,
): PairFiles {
  const base = `${certsMountPath}/secrets/etcd-all-certs/etcd-${use}-${node.name}`;
  return { certFile: `${base}.crt`, keyFile: `${base}.key` };
}

/** Where the containers see the authorities that etcd's clients and servers trust. */
export const bundleFolder = `${certsMountPath}/configmaps/etcd-all-bundles`;

/** The loopback address and that of every interface, as hosts of URLs. */
export function etcdHosts({ networks }: Pick<ControlPlaneInputs, 'networks'>): {
  readonly loopback: string;
  readonly all: string;
} {
  return networks.family === 'IPv6'
    ? { loopback: '[::1]', all: '[::]' }
    : { loopback: '127.0.0.1', all: '0.0.0.0' };
}

type Listening = Pick<EtcdConfig, 'metrics' | 'snapshotCount' | 'tuning'> &
  Readonly<Record<'client' | 'peer', Omit<Listener, keyof PairFiles>>>;

/** As cluster-etcd-operator lays etcd: bindata/etcd/pod.gotpl.yaml, pkg/etcdenvvar, pkg/hwspeedhelpers. */
function ofOperators(inputs: ControlPlaneInputs, { cipherSuites, minVersion }: TlsProfile): Listening {
  const { all } = etcdHosts(inputs);
  const { urlHost } = inputs.node;
  return {
    client: { listenUrl: `https://${all}:2379`, advertiseUrl: `https://${urlHost}:2379` },
    peer: { listenUrl: `https://${all}:2380`, advertiseUrl: `https://${urlHost}:2380` },
    metrics: { listenUrl: `https://${all}:9978`, isExtensive: true },
    tuning: {
      heartbeatMs: 100,
      electionMs: 1000,
      warningApplyMs: 200,
      maxLearners: 1,
      // etcd refuses suites beside TLS 1.3, which has no choice of them.
      ...(minVersion === 'VersionTLS13' ? { minTls: 'TLS1.3' } : { minTls: 'TLS1.2', cipherSuites }),
    },
  };
}

/** Nothing off the node speaks to etcd, so that its address may change. Flags as kubeadm sets them. */
function onLoopback(inputs: ControlPlaneInputs): Listening {
  const { loopback } = etcdHosts(inputs);
  const at = (port: number): Omit<Listener, keyof PairFiles> => {
    const url = `https://${loopback}:${port}`;
    return { listenUrl: url, advertiseUrl: url };
  };
  return {
    client: at(2379),
    peer: at(2380),
    metrics: { listenUrl: `http://${loopback}:${etcdHealthPort}`, isExtensive: false },
    // The default before etcd 3.6 is 100000, which keeps far more of the log in memory.
    snapshotCount: 10_000,
  };
}
