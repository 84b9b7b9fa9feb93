import type { Container, HttpGet, Pod } from '../../kube/pod-object.js';
import type { ControlPlaneInputs } from '../../loops/loop-inputs.js';
import { flagArguments } from '../shared/flag-list.js';
import { revisionedConfigMap } from '../shared/mounted-paths.js';
import { resourceMounts, staticPod } from '../shared/static-pod.js';
import { controllerManagerFlags, type ControllerManagerConfig } from './config.js';

/** Where kube-controller-manager serves its health and metrics. Source: k8s.io/kubernetes cmd/kube-controller-manager, ports */
const port = 10257;

/** kube-controller-manager's static pod; with OpenShift cluster-policy-controller, which readies namespaces, is beside it. */
export function controllerManagerPod(inputs: ControlPlaneInputs, config: ControllerManagerConfig): Pod {
  const isOpenShift = inputs.profile === 'OpenShift';
  const folders = isOpenShift ? ['tmp-dir', 'ca-trust-dir', 'var-run-kubernetes'] : [];
  return staticPod({
    component: 'kube-controller-manager',
    profile: inputs.profile,
    openShift: {
      name: 'kube-controller-manager',
      labels: { app: 'kube-controller-manager', 'kube-controller-manager': 'true' },
    },
    mainContainer: 'kube-controller-manager',
    containers: isOpenShift
      ? [openShiftContainer(inputs, config), policyController(inputs, config)]
      : [kubernetesContainer(inputs, config)],
    volumes: folders.map((name) => ({ name, emptyDir: {} })),
  });
}

const mainContainer = {
  name: 'kube-controller-manager',
  imagePullPolicy: 'IfNotPresent',
  terminationMessagePolicy: 'FallbackToLogsOnError',
  ports: [{ containerPort: port, protocol: 'TCP' }],
  resources: { requests: { cpu: '60m', memory: '200Mi' } },
} as const;

/** Times are kubeadm's: cmd/kubeadm/app/util/staticpod/utils.go */
function kubernetesContainer(inputs: ControlPlaneInputs, config: ControllerManagerConfig): Container {
  const { bindAddress: host } = config;
  const httpGet = { scheme: 'HTTPS', ...(host !== undefined && { host }), path: '/healthz', port } as const;
  const slow = { httpGet, initialDelaySeconds: 10, periodSeconds: 10, timeoutSeconds: 15 };
  return {
    ...mainContainer,
    image: inputs.images['kube-controller-manager'],
    command: ['kube-controller-manager'],
    args: flagArguments(controllerManagerFlags(config)),
    startupProbe: { ...slow, failureThreshold: 24 },
    livenessProbe: { ...slow, failureThreshold: 8 },
    volumeMounts: resourceMounts,
  };
}

/** The operator waits for the port first, since its pod may start beside an older one; here none is older. */
function openShiftContainer(inputs: ControlPlaneInputs, config: ControllerManagerConfig): Container {
  const flags = {
    ...controllerManagerFlags(config),
    'openshift-config': [revisionedConfigMap('config', 'config.yaml')],
  };
  return {
    ...mainContainer,
    image: inputs.images.hyperkube,
    command: ['hyperkube', 'kube-controller-manager'],
    args: flagArguments(flags),
    ...operatorProbes({ scheme: 'HTTPS', path: '/healthz', port }),
    volumeMounts: [...resourceMounts, { name: 'var-run-kubernetes', mountPath: '/var/run/kubernetes' }],
  };
}

function policyController(inputs: ControlPlaneInputs, { kubeconfig }: ControllerManagerConfig): Container {
  const flags = {
    config: [revisionedConfigMap('cluster-policy-controller-config', 'config.yaml')],
    kubeconfig: [kubeconfig],
    namespace: ['$(POD_NAMESPACE)'],
    v: ['2'],
  };
  return {
    name: 'cluster-policy-controller',
    image: inputs.images['cluster-policy-controller'],
    imagePullPolicy: 'IfNotPresent',
    terminationMessagePolicy: 'FallbackToLogsOnError',
    command: ['cluster-policy-controller', 'start'],
    args: flagArguments(flags),
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    ],
    ports: [{ containerPort: 10357, protocol: 'TCP' }],
    resources: { requests: { cpu: '10m', memory: '200Mi' } },
    securityContext: { readOnlyRootFilesystem: true },
    ...operatorProbes({ scheme: 'HTTPS', host: 'localhost', path: '/healthz', port: 10357 }),
    volumeMounts: [
      ...resourceMounts,
      { name: 'tmp-dir', mountPath: '/tmp' },
      { name: 'ca-trust-dir', mountPath: '/etc/pki/ca-trust/extracted/pem' },
      { name: 'var-run-kubernetes', mountPath: '/var/run/kubernetes' },
    ],
  };
}

/** Source: cluster-kube-controller-manager-operator bindata/assets/kube-controller-manager/pod.yaml */
function operatorProbes(
  httpGet: HttpGet,
): Pick<Container, 'startupProbe' | 'readinessProbe' | 'livenessProbe'> {
  return {
    startupProbe: { httpGet, timeoutSeconds: 3 },
    readinessProbe: { httpGet, initialDelaySeconds: 10, timeoutSeconds: 10 },
    livenessProbe: { httpGet, initialDelaySeconds: 45, timeoutSeconds: 10 },
  };
}
