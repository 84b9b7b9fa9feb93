import type { Container, EnvironmentVariable, FieldPath, HttpGet, Pod } from '../../kube/pod-object.js';
import type { ControlPlaneInputs } from '../../loops/loop-inputs.js';
import { flagArguments } from '../shared/flag-list.js';
import { renewableConfigMap, revisionedConfigMap } from '../shared/mounted-paths.js';
import { resourceMounts, staticPod } from '../shared/static-pod.js';
import { upstreamFlags, type ApiserverConfig } from './config.js';
import { logFolder } from './log-folder.js';
import { gracefulTerminationSeconds } from './observation.js';

/** The static pod of kube-apiserver. Source: cluster-kube-apiserver-operator bindata/assets/kube-apiserver/pod.yaml */
export function kubeApiserverPod(inputs: ControlPlaneInputs, config: ApiserverConfig): Pod {
  const isOpenShift = inputs.profile === 'OpenShift';
  const pod = staticPod({
    component: 'kube-apiserver',
    profile: inputs.profile,
    openShift: {
      name: 'kube-apiserver',
      labels: { app: 'openshift-kube-apiserver', apiserver: 'true' },
    },
    mainContainer: 'kube-apiserver',
    containers: isOpenShift
      ? [openShiftContainer(inputs, config), insecureReadyz(inputs)]
      : [kubernetesContainer(inputs, config)],
    volumes: [
      { name: 'audit-dir', hostPath: { path: logFolder, type: 'DirectoryOrCreate' } },
      { name: 'tmp-dir', emptyDir: {} },
    ],
  });
  return { ...pod, spec: { ...pod.spec, terminationGracePeriodSeconds: gracefulTerminationSeconds } };
}

/** Upstream's program alone, told by flags; the address to advertise is the one the kubelet knows for its node. */
function kubernetesContainer(inputs: ControlPlaneInputs, config: ApiserverConfig): Container {
  const host = inputs.networks.family === 'IPv4' ? '127.0.0.1' : '::1';
  const flags = { 'advertise-address': ['$(HOST_IP)'], v: ['2'], ...upstreamFlags(config) };
  return {
    ...mainContainer,
    image: inputs.images['kube-apiserver'],
    command: ['kube-apiserver'],
    args: flagArguments(flags),
    env: [fromField('HOST_IP', 'status.hostIP')],
    securityContext: { readOnlyRootFilesystem: true },
    ...(isAskedWithoutName(config) ? probesAt(host) : connectionsTo(host)),
  };
}

/**
 * OpenShift's program below one that writes an event when it is stopped: that takes the kubeconfig of the node, since the
 * token of the operator's choice does not exist before the API does. The lock keeps a later revision from starting beside
 * this one; the folder of the audit log is for root alone.
 */
function openShiftContainer(inputs: ControlPlaneInputs, { arguments: given }: ApiserverConfig): Container {
  const own = { 'advertise-address': ['"${HOST_IP}"'], 'permit-address-sharing': ['true'], v: ['2'] };
  const flags = Object.entries(own).filter(([flag]) => given[flag] === undefined);
  const termination = {
    'graceful-termination-duration': [`${gracefulTerminationSeconds}s`],
    kubeconfig: [renewableConfigMap('control-plane-node-kubeconfig', 'kubeconfig')],
    'termination-log-file': [`${logFolder}/termination.log`],
    'termination-touch-file': [`${logFolder}/.terminating`],
  };
  const server = {
    ...Object.fromEntries(flags),
    'openshift-config': [revisionedConfigMap('config', 'config.yaml')],
  };
  const script = [
    `chmod 0700 ${logFolder}`,
    `exec {lock}>${logFolder}/.lock`,
    // Longer than a stopping one takes. Source: terminationGracePeriodSeconds
    'flock --wait 30 "${lock}"',
    `exec watch-termination ${flagArguments(termination).join(' ')} -- hyperkube kube-apiserver ${flagArguments(server).join(' ')}`,
  ];
  return {
    ...mainContainer,
    image: inputs.images.hyperkube,
    command: ['/bin/bash', '-ec'],
    args: [script.map((line) => `${line}\n`).join('')],
    env: [
      fromField('POD_NAME', 'metadata.name'),
      fromField('POD_NAMESPACE', 'metadata.namespace'),
      { name: 'STATIC_POD_VERSION', value: 'REVISION' },
      fromField('HOST_IP', 'status.hostIP'),
    ],
    securityContext: { privileged: true, readOnlyRootFilesystem: true },
    ...probesAt(undefined),
  };
}

/** Answers load balancers that cannot speak TLS. */
function insecureReadyz({ images }: ControlPlaneInputs): Container {
  return {
    name: 'kube-apiserver-insecure-readyz',
    image: images['cluster-kube-apiserver-operator'],
    imagePullPolicy: 'IfNotPresent',
    terminationMessagePolicy: 'FallbackToLogsOnError',
    command: ['cluster-kube-apiserver-operator', 'insecure-readyz'],
    args: ['--insecure-port=6080', '--delegate-url=https://localhost:6443/readyz'],
    ports: [{ containerPort: 6080, protocol: 'TCP' }],
    resources: { requests: { cpu: '5m', memory: '50Mi' } },
    securityContext: { readOnlyRootFilesystem: true },
    volumeMounts: [],
  };
}

const mainContainer = {
  name: 'kube-apiserver',
  imagePullPolicy: 'IfNotPresent',
  terminationMessagePolicy: 'FallbackToLogsOnError',
  ports: [{ containerPort: 6443, protocol: 'TCP' }],
  resources: { requests: { cpu: '265m', memory: '1Gi' } },
  volumeMounts: [
    ...resourceMounts,
    { name: 'audit-dir', mountPath: logFolder },
    { name: 'tmp-dir', mountPath: '/tmp' },
  ],
} as const;

type Probes = Pick<Container, 'livenessProbe' | 'readinessProbe' | 'startupProbe'>;

/** Whether kube-apiserver tells of its health whoever asks. */
function isAskedWithoutName({ authentication, arguments: given }: ApiserverConfig): boolean {
  return authentication !== undefined || given['anonymous-auth']?.at(-1) === 'true';
}

/** Where a name is asked for, which the kubelet's probes cannot give, that something listens must do. */
function connectionsTo(host: string): Probes {
  const tcpSocket = { host, port: 6443 };
  const times = { initialDelaySeconds: 0, timeoutSeconds: 10 };
  return {
    startupProbe: { tcpSocket, ...times, periodSeconds: 5, failureThreshold: 30 },
    readinessProbe: { tcpSocket, ...times, periodSeconds: 5, failureThreshold: 3 },
    livenessProbe: { tcpSocket, ...times, periodSeconds: 10, failureThreshold: 3 },
  };
}

/**
 * Probes of one host, or of the pod's address. Liveness leaves etcd out: it would end kube-apiserver when etcd restarts,
 * which it outlives by itself.
 */
function probesAt(host: string | undefined): Probes {
  const get = (path: string): { readonly httpGet: HttpGet } => ({
    httpGet: { scheme: 'HTTPS', ...(host !== undefined && { host }), path, port: 6443 },
  });
  return {
    startupProbe: {
      ...get('livez'),
      initialDelaySeconds: 0,
      periodSeconds: 5,
      timeoutSeconds: 10,
      failureThreshold: 30,
    },
    readinessProbe: {
      ...get('readyz'),
      initialDelaySeconds: 0,
      periodSeconds: 5,
      timeoutSeconds: 10,
      failureThreshold: 3,
    },
    livenessProbe: {
      ...get('livez?exclude=etcd'),
      initialDelaySeconds: 0,
      periodSeconds: 10,
      timeoutSeconds: 10,
      failureThreshold: 3,
    },
  };
}

function fromField(name: string, fieldPath: FieldPath): EnvironmentVariable {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}
