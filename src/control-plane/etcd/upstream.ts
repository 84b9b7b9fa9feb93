import type { Container, HttpGet, Probes } from '../../kube/pod-object.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import { flagArguments } from '../shared/flag-list.js';
import { kubeadmProbes } from '../shared/kubeadm-probes.js';
import { resourceMounts, upstreamPod } from '../shared/static-pod.js';
import { etcdFlags, hasFeatureGates } from './arguments.js';
import { allBundlesName, allCertsName } from './certificates.js';
import type { EtcdConfig, Listener, EtcdListeners, PairFiles } from './config-model.js';
import { dataVolume, etcdDataFolder, etcdHosts } from './config.js';
import type { EtcdDialect } from './dialect.js';

/** Upstream etcd with a single member. */
export const upstreamEtcd: EtcdDialect = {
  pod: (inputs, config) =>
    upstreamPod({ component: 'etcd', containers: [plainContainer(inputs, config)], volumes: [dataVolume] }),
  listening: onLoopback,
  servesMetricsApart: false,
  endpoints: () => [],
  // Only operators read these objects.
  staticObjects: () => [],
  // Every file that the pod reads is in the certs folder, where a renewal may replace it.
  revision: {
    component: 'etcd',
    configMaps: [{ name: 'etcd-pod' }],
    secrets: [],
    certConfigMaps: [{ name: allBundlesName }],
    certSecrets: [{ name: allCertsName }],
  },
};

/** Serves metrics and health without TLS. Source: kubeadm, constants.EtcdMetricsPort */
const etcdHealthPort = 2381;

/** Listens on loopback only, so the node's address may change. Flags as in kubeadm. */
function onLoopback(inputs: LoopInputs): EtcdListeners {
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

function plainContainer(inputs: LoopInputs, config: EtcdConfig): Container {
  return {
    name: 'etcd',
    image: inputs.images.etcd,
    imagePullPolicy: 'IfNotPresent',
    command: ['etcd'],
    args: flagArguments(etcdFlags(config)),
    ports: [{ name: 'probe-port', containerPort: etcdHealthPort, protocol: 'TCP' }],
    // Source: kubeadm, cmd/kubeadm/app/phases/etcd/local.go
    resources: { requests: { cpu: '100m', memory: '100Mi' } },
    ...plainProbes(inputs, config),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [...resourceMounts, { name: 'data-dir', mountPath: etcdDataFolder }],
  };
}

/**
 * Early 3.4 and 3.5 releases have no /livez and /readyz (CHANGELOG-3.4: 3.4.29, CHANGELOG-3.5: 3.5.11); they get the probes of
 * kubeadm 1.30.
 */
function plainProbes(inputs: LoopInputs, config: EtcdConfig): Probes {
  const isNew = hasFeatureGates(config);
  const ready = isNew ? '/readyz' : '/health?serializable=false';
  const live = isNew ? '/livez' : '/health?exclude=NOSPACE&serializable=true';
  const host = etcdHosts(inputs).loopback.replace(/[[\]]/g, '');
  const at = (path: string): HttpGet => ({ scheme: 'HTTP', host, path, port: etcdHealthPort });
  return kubeadmProbes({ start: at(ready), ready: at(ready), live: at(live) });
}
