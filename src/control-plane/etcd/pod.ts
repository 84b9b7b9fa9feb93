import type { Container, HttpGet, Pod } from '../../kube/pod-object.js';
import type { ControlPlaneInputs } from '../../loops/loop-inputs.js';
import { flagArguments } from '../shared/flag-list.js';
import { resourceMounts, staticPod } from '../shared/static-pod.js';
import type { TlsProfile } from '../shared/tls-profile.js';
import { etcdFlags, hasFeatureGates } from './arguments.js';
import { etcdConfig, etcdDataFolder, etcdHealthPort, etcdHosts, type EtcdConfig } from './config.js';
import { openShiftContainers } from './containers.js';

/** etcd's static pod: with OpenShift its operator's containers, without it etcd alone. */
export function etcdPod(inputs: ControlPlaneInputs, tls?: TlsProfile): Pod {
  const config = etcdConfig(inputs, tls);
  const isOpenShift = inputs.profile === 'OpenShift';
  return staticPod({
    component: 'etcd',
    profile: inputs.profile,
    openShift: { name: 'etcd', labels: { app: 'etcd', etcd: 'true', 'k8s-app': 'etcd' } },
    mainContainer: 'etcd',
    containers: isOpenShift ? openShiftContainers(inputs, config) : [plainContainer(inputs, config)],
    volumes: [
      { name: 'data-dir', hostPath: { path: etcdDataFolder, type: 'DirectoryOrCreate' } },
      ...(isOpenShift ? [{ name: 'tmp-dir', emptyDir: {} }] : []),
    ],
  });
}

function plainContainer(inputs: ControlPlaneInputs, config: EtcdConfig): Container {
  return {
    name: 'etcd',
    image: inputs.images.etcd,
    imagePullPolicy: 'IfNotPresent',
    command: ['etcd'],
    args: flagArguments(etcdFlags(config)),
    ports: [{ name: 'probe-port', containerPort: etcdHealthPort, protocol: 'TCP' }],
    // As kubeadm asks for: cmd/kubeadm/app/phases/etcd/local.go
    resources: { requests: { cpu: '100m', memory: '100Mi' } },
    ...plainProbes(inputs, config),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [...resourceMounts, { name: 'data-dir', mountPath: etcdDataFolder }],
  };
}

/**
 * Times are kubeadm's: cmd/kubeadm/app/util/staticpod/utils.go. /livez and /readyz came in the midst of 3.4 and 3.5
 * (CHANGELOG-3.4: 3.4.29, CHANGELOG-3.5: 3.5.11), so that these are asked as kubeadm 1.30 did.
 */
function plainProbes(
  inputs: ControlPlaneInputs,
  config: EtcdConfig,
): Pick<Container, 'startupProbe' | 'readinessProbe' | 'livenessProbe'> {
  const isNew = hasFeatureGates(config);
  const ready = isNew ? '/readyz' : '/health?serializable=false';
  const live = isNew ? '/livez' : '/health?exclude=NOSPACE&serializable=true';
  const host = etcdHosts(inputs).loopback.replace(/[[\]]/g, '');
  const at = (path: string): HttpGet => ({ scheme: 'HTTP', host, path, port: etcdHealthPort });
  const slow = { initialDelaySeconds: 10, periodSeconds: 10, timeoutSeconds: 15 };
  return {
    startupProbe: { httpGet: at(ready), ...slow, failureThreshold: 24 },
    readinessProbe: { httpGet: at(ready), periodSeconds: 1, timeoutSeconds: 15, failureThreshold: 3 },
    livenessProbe: { httpGet: at(live), ...slow, failureThreshold: 8 },
  };
}
