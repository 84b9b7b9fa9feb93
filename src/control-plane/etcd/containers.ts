import type { Container, EnvironmentVariable, Probe } from '../../kube/pod-object.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import { flagArguments } from '../shared/flag-list.js';
import { resourceMounts } from '../shared/static-pod.js';
import { etcdFlags, splitEnvironmentFlags } from './arguments.js';
import type { EtcdConfig } from './config-model.js';
import { bundleFolder, etcdDataFolder, etcdHosts, etcdPairFiles } from './config.js';

/**
 * The containers of the operator's pod that work before the operator runs, in its order. Containers that wait for the API or
 * need the operator's scripts are omitted; the operator's next revision adds them. The commands need no shell, because
 * nothing in them is determined at start. Source: cluster-etcd-operator bindata/etcd/pod.gotpl.yaml
 */
export function openShiftContainers(inputs: LoopInputs, config: EtcdConfig): readonly Container[] {
  return [etcdctl(inputs), etcd(inputs, config), metricsProxy(inputs), readyz(inputs)];
}

const mounts = [
  ...resourceMounts,
  { name: 'data-dir', mountPath: etcdDataFolder },
  { name: 'tmp-dir', mountPath: '/tmp' },
] as const;

const privileged = { privileged: true, readOnlyRootFilesystem: true } as const;

/** First in the pod, so that `oc rsh` into it opens a shell where etcdctl works. */
function etcdctl(inputs: LoopInputs): Container {
  return {
    ...containerBasics('etcdctl', inputs.images.etcd),
    command: ['/bin/bash', '-c', 'trap TERM INT; sleep infinity & wait'],
    env: clientEnvironment(inputs),
    resources: { requests: { cpu: '10m', memory: '60Mi' } },
    securityContext: { readOnlyRootFilesystem: true },
    volumeMounts: mounts,
  };
}

function etcd(inputs: LoopInputs, config: EtcdConfig): Container {
  const { flags, environment } = splitEnvironmentFlags(etcdFlags(config));
  return {
    ...containerBasics('etcd', inputs.images.etcd),
    // Gives etcd priority for CPU and disk. Source: etcd.io/docs/v3.6/tuning
    command: ['nice', '-n', '-19', 'ionice', '-c2', '-n0', 'etcd'],
    args: flagArguments(flags),
    env: [...environment, { name: 'ETCD_STATIC_POD_VERSION', value: 'REVISION' }],
    ports: [
      { name: 'etcd', containerPort: 2379, protocol: 'TCP' },
      { name: 'etcd-peer', containerPort: 2380, protocol: 'TCP' },
      { name: 'etcd-metrics', containerPort: 9978, protocol: 'TCP' },
    ],
    resources: { requests: { cpu: '300m', memory: '600Mi' } },
    securityContext: privileged,
    ...probes,
    volumeMounts: mounts,
  };
}

/**
 * Serves etcd's metrics to clients with a certificate of the metrics CA, which gives no access to the data. Upstream's proxy
 * rejects client certificates with a common name; OpenShift's accepts them (openshift/etcd, server/etcdmain/grpc_proxy.go).
 */
function metricsProxy(inputs: LoopInputs): Container {
  const { all, loopback } = etcdHosts(inputs);
  const asClient = etcdPairFiles('peer', inputs);
  const asServer = etcdPairFiles('serving-metrics', inputs);
  const flags = {
    endpoints: [`https://${inputs.node.urlHost}:9978`],
    'metrics-addr': [`https://${all}:9979`],
    'listen-addr': [`${loopback}:9977`],
    'advertise-client-url': [''],
    cert: [asClient.certFile],
    key: [asClient.keyFile],
    cacert: [`${bundleFolder}/server-ca-bundle.crt`],
    'cert-file': [asServer.certFile],
    'key-file': [asServer.keyFile],
    'trusted-ca-file': [`${bundleFolder}/metrics-ca-bundle.crt`],
  };
  return {
    ...containerBasics('etcd-metrics', inputs.images.etcd),
    command: ['nice', '-n', '-18', 'etcd', 'grpc-proxy', 'start'],
    args: flagArguments(flags),
    ports: [{ name: 'proxy-metrics', containerPort: 9979, protocol: 'TCP' }],
    resources: { requests: { cpu: '40m', memory: '200Mi' } },
    securityContext: privileged,
    volumeMounts: mounts,
  };
}

/** Answers the kubelet's probes, which send no client certificate. Source: cluster-etcd-operator pkg/cmd/readyz */
function readyz(inputs: LoopInputs): Container {
  const asClient = etcdPairFiles('peer', inputs);
  const asServer = etcdPairFiles('serving', inputs);
  const flags = {
    target: ['https://localhost:2379'],
    'listen-port': ['9980'],
    'serving-cert-file': [asServer.certFile],
    'serving-key-file': [asServer.keyFile],
    'client-cert-file': [asClient.certFile],
    'client-key-file': [asClient.keyFile],
    'client-cacert-file': [`${bundleFolder}/server-ca-bundle.crt`],
  };
  return {
    ...containerBasics('etcd-readyz', inputs.images['cluster-etcd-operator']),
    command: ['nice', '-n', '-18', 'cluster-etcd-operator', 'readyz'],
    args: flagArguments(flags),
    ports: [{ name: 'readyz', containerPort: 9980, protocol: 'TCP' }],
    resources: { requests: { cpu: '10m', memory: '50Mi' } },
    securityContext: privileged,
    volumeMounts: mounts,
  };
}

/** Probes of etcd-readyz. The thresholds are those for a quota of 8 GiB. Source: cluster-etcd-operator pkg/operator/ceohelpers/podsubstitution.go */
const probes = {
  startupProbe: {
    httpGet: { scheme: 'HTTPS', path: '/readyz', port: 9980 },
    initialDelaySeconds: 30,
    periodSeconds: 5,
    timeoutSeconds: 30,
    failureThreshold: 30,
  },
  readinessProbe: {
    httpGet: { scheme: 'HTTPS', path: '/readyz', port: 9980 },
    periodSeconds: 1,
    timeoutSeconds: 30,
    failureThreshold: 3,
  },
  livenessProbe: {
    httpGet: { scheme: 'HTTPS', path: '/healthz', port: 9980 },
    periodSeconds: 5,
    timeoutSeconds: 30,
    failureThreshold: 20,
  },
} as const satisfies Readonly<Record<string, Probe>>;

/** Environment of etcdctl and the operator's scripts. Source: cluster-etcd-operator pkg/etcdenvvar/etcd_env.go */
function clientEnvironment(inputs: LoopInputs): readonly EnvironmentVariable[] {
  const { name, environmentName, urlHost } = inputs.node;
  const { certFile, keyFile } = etcdPairFiles('peer', inputs);
  const endpoint = `https://${urlHost}:2379`;
  return [
    { name: 'ALL_ETCD_ENDPOINTS', value: endpoint },
    { name: 'ETCDCTL_CACERT', value: `${bundleFolder}/server-ca-bundle.crt` },
    { name: 'ETCDCTL_CERT', value: certFile },
    { name: 'ETCDCTL_ENDPOINTS', value: endpoint },
    { name: 'ETCDCTL_KEY', value: keyFile },
    { name: 'ETCD_IMAGE', value: inputs.images.etcd },
    { name: `NODE_${environmentName}_ETCD_NAME`, value: name },
    { name: `NODE_${environmentName}_ETCD_URL_HOST`, value: urlHost },
    { name: `NODE_${environmentName}_IP`, value: urlHost },
  ];
}

function containerBasics(
  name: string,
  image: string,
): Pick<Container, 'name' | 'image' | 'imagePullPolicy' | 'terminationMessagePolicy'> {
  return {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}
