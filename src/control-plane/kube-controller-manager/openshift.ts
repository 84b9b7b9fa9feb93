import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames } from '../../kube/components.js';
import { type ConfigMap, configMap } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';
import type { Container, HttpGet, Probes } from '../../kube/pod-object.js';
import { type LoopInputs, payloadOf } from '../loops/loop-inputs.js';
import {
  installerAccount,
  monitoredNamespace,
  operatorNamespace,
  privilegedPods,
  serviceAccount,
} from '../loops/static-resources.js';
import type { Store } from '../loops/store.js';
import { type FlagValues, featureGateSettings, flagArguments } from '../shared/flag-list.js';
import { denyAll, dnsEgress, networkPolicy, ofApps } from '../shared/network-policy.js';
import { metricsService } from '../shared/metrics-service.js';
import { revisionedConfigMap } from '../shared/mounted-paths.js';
import { leaderElectionBinding } from '../shared/rbac.js';
import { recoveryClient, syncerKubeconfig } from '../shared/recovery-client.js';
import { openShiftPod, resourceMounts } from '../shared/static-pod.js';
import { trustedBundle } from '../shared/trusted-bundle.js';
import type { ControllerManagerConfig } from './config-model.js';
import { controllerManagerFlags } from './config.js';
import { mainContainer, port } from './container.js';
import type { ControllerManagerDialect } from './dialect.js';
import { policyControllerRbac } from './policy-controller-rbac.js';
import { controllerManagerRevision } from './revision-objects.js';
import { infraNamespace, recyclerConfig } from './recycler.js';

const { namespace } = componentNames['kube-controller-manager'];

/**
 * Objects that must exist before kube-controller-manager's operator: namespaces, service accounts, and the RBAC that lets
 * namespaces get the UID ranges required to admit pods. The operator creates its alerts itself.
 * Source: cluster-kube-controller-manager-operator bindata/assets/kube-controller-manager
 */
const controllerManagerStaticObjects: readonly KubeObject[] = [
  monitoredNamespace(namespace),
  operatorNamespace(componentNames['kube-controller-manager'].operatorNamespace),
  sharedNamespace(),
  metricsService('kube-controller-manager', { name: 'kube-controller-manager', port }),
  serviceAccount(namespace, 'kube-controller-manager-sa'),
  serviceAccount(infraNamespace, 'pv-recycler-controller'),
  leaderElectionBinding('kube-controller-manager'),
  ...policyControllerRbac,
  ...recoveryClient('kube-controller-manager'),
  syncerKubeconfig('kube-controller-manager', {
    name: 'kube-controller-cert-syncer-kubeconfig',
    user: 'kube-controller-manager',
    caFile: revisionedConfigMap('serviceaccount-ca'),
  }),
  ...installerAccount('kube-controller-manager'),
];

/** Source: cluster-kube-controller-manager-operator bindata/assets/kube-controller-manager, networkpolicy-*.yaml */
const controllerManagerPolicies: readonly KubeObject[] = [
  networkPolicy(namespace, 'allow', {
    podSelector: { matchLabels: { 'kube-controller-manager': 'true' } },
    policyTypes: ['Ingress', 'Egress'],
    // kube-controller-manager, cluster-policy-controller and the recovery controller
    ingress: [{ ports: [port, 10357, 9443].map((each) => ({ protocol: 'TCP', port: each })) }],
    egress: [{}, dnsEgress],
  }),
  networkPolicy(namespace, 'allow-installer', {
    podSelector: ofApps('installer'),
    policyTypes: ['Egress'],
    egress: [{}, dnsEgress],
  }),
  networkPolicy(namespace, 'default-deny-all', { ...denyAll, ingress: [], egress: [] }),
];

/** Without the run level of the control plane: its pods pass the cluster's regular admission. */
function sharedNamespace(): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: infraNamespace,
      annotations: { 'workload.openshift.io/allowed': 'management' },
      labels: privilegedPods,
    },
  };
}

/** The configurations of kube-controller-manager and of its sidecar cluster-policy-controller. */
function openShiftFiles(config: ControllerManagerConfig, inputs: LoopInputs): readonly KubeObject[] {
  const configFile = { 'config.yaml': writeYaml(openshiftConfig(config)) };
  return [configMap({ namespace, name: 'config' }, configFile), policyConfig(config, inputs)];
}

function openShiftCompanions(inputs: LoopInputs, store: Store): readonly KubeObject[] {
  return [recyclerConfig(inputs), ...trustedBundle(store, 'kube-controller-manager')];
}

/** The configuration file that OpenShift's program reads with `--openshift-config`. Source: openshift/api kubecontrolplane/v1 */
function openshiftConfig({ extendedArguments }: ControllerManagerConfig): Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'kubecontrolplane.config.openshift.io/v1',
    kind: 'KubeControllerManagerConfig',
    extendedArguments,
    projectConfig: { defaultNodeSelector: '' },
    serviceServingCert: { certFile: '' },
  };
}

/** Only a running cluster issues the serving certificate; without it cluster-policy-controller uses a self-signed one. */
function policyConfig({ clientCaFile, serving }: ControllerManagerConfig, inputs: LoopInputs): ConfigMap {
  const featureGates = featureGateSettings(inputs);
  const config = {
    apiVersion: 'openshiftcontrolplane.config.openshift.io/v1',
    kind: 'OpenShiftControllerManagerConfig',
    ...(featureGates.length > 0 && { featureGates }),
    servingInfo: {
      bindAddress: '127.0.0.1:10357',
      bindNetwork: 'tcp',
      certFile: '',
      clientCA: clientCaFile,
      keyFile: '',
      ...serving,
    },
  };
  return configMap(
    { namespace, name: 'cluster-policy-controller-config' },
    { 'config.yaml': writeYaml(config) },
  );
}

/** kube-controller-manager as OpenShift's operator runs it, with the sidecar cluster-policy-controller, which prepares namespaces. */
export const openShiftControllerManager: ControllerManagerDialect = {
  pod: (inputs, config) =>
    openShiftPod({
      component: 'kube-controller-manager',
      name: 'kube-controller-manager',
      labels: { app: 'kube-controller-manager', 'kube-controller-manager': 'true' },
      mainContainer: 'kube-controller-manager',
      containers: [openShiftContainer(inputs, config), policyController(inputs, config)],
      volumes: ['tmp-dir', 'ca-trust-dir', 'var-run-kubernetes'].map((name) => ({ name, emptyDir: {} })),
    }),
  arguments: operatorArguments,
  bindAddress: () => undefined,
  observation: ({ networks, apiServer }) => ({
    'cluster-cidr': [networks.clusterNetwork.map(({ cidr }) => cidr).join(',')],
    'cluster-name': [apiServer.infraId],
  }),
  files: openShiftFiles,
  companions: openShiftCompanions,
  staticObjects: (inputs) => [
    ...controllerManagerStaticObjects,
    ...(payloadOf(inputs).hasNetworkPolicies ? controllerManagerPolicies : []),
  ],
  // Additional objects of the operator's list, except `service-ca`: the service-ca operator needs this pod to start. No flag
  // refers to it, and the operator's next revision waits for it.
  // Source: cluster-kube-controller-manager-operator pkg/operator/starter.go
  revision: controllerManagerRevision({
    configMaps: [
      { name: 'config' },
      { name: 'cluster-policy-controller-config' },
      { name: 'kube-controller-cert-syncer-kubeconfig' },
      { name: 'recycler-config' },
      { name: 'service-ca', isOptional: true },
    ],
    secrets: [{ name: 'localhost-recovery-client-token', isOptional: true }],
    certConfigMaps: [{ name: 'trusted-ca-bundle', isOptional: true }],
  }),
};

const recyclerPod = revisionedConfigMap('recycler-config', 'recycler-pod.yaml');

/** Source: cluster-kube-controller-manager-operator bindata/assets/config/defaultconfig.yaml; values that differ between releases are in the release table. */
function operatorArguments(inputs: LoopInputs): FlagValues {
  const { controllerManager } = payloadOf(inputs);
  return {
    'allocate-node-cidrs': ['false'],
    'cert-dir': ['/var/run/kubernetes'],
    controllers: controllerManager.controllers,
    'enable-dynamic-provisioning': ['true'],
    'flex-volume-plugin-dir': ['/etc/kubernetes/kubelet-plugins/volume/exec'],
    'kube-api-burst': ['300'],
    'kube-api-qps': ['150'],
    'leader-elect': ['true'],
    'leader-elect-renew-deadline': ['12s'],
    'leader-elect-resource-lock': ['leases'],
    'leader-elect-retry-period': ['3s'],
    'pv-recycler-pod-template-filepath-hostpath': [recyclerPod],
    'pv-recycler-pod-template-filepath-nfs': [recyclerPod],
    'secure-port': ['10257'],
    ...controllerManager.arguments,
  };
}

/** The operator's command first waits until an older pod has released the port; here no older pod exists. */
function openShiftContainer(inputs: LoopInputs, config: ControllerManagerConfig): Container {
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

function policyController(inputs: LoopInputs, { kubeconfig }: ControllerManagerConfig): Container {
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
function operatorProbes(httpGet: HttpGet): Probes {
  return {
    startupProbe: { httpGet, timeoutSeconds: 3 },
    readinessProbe: { httpGet, initialDelaySeconds: 10, timeoutSeconds: 10 },
    livenessProbe: { httpGet, initialDelaySeconds: 45, timeoutSeconds: 10 },
  };
}
