import { byCodeUnit } from '../../core/compare.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames } from '../../kube/components.js';
import type { Container, Pod } from '../../kube/pod-object.js';
import { clusterResource } from '../loops/cluster-resources.js';
import { configMaps } from '../loops/kinds.js';
import { type LoopInputs, payloadOf } from '../loops/loop-inputs.js';
import type { Store } from '../loops/store.js';
import { type FlagValues, flagArguments } from '../shared/flag-list.js';
import {
  renewableConfigMap,
  revisionedConfigMap,
  revisionedConfigMapFolder,
  revisionedPair,
} from '../shared/mounted-paths.js';
import { openShiftPod } from '../shared/static-pod.js';
import { trustedBundle } from '../shared/trusted-bundle.js';
import { openShiftAdmission, openShiftPlugins } from './admission.js';
import { openShiftRules } from './audit-policy.js';
import { localhostCertificate, servingCertificates } from './certificates.js';
import type { ApiserverConfig } from './config-model.js';
import { withGracePeriod, fieldVariable, mainContainer, probesAt, volumes } from './container.js';
import type { ApiserverDialect } from './dialect.js';
import { logFolder } from './log-folder.js';
import { gracefulTerminationSeconds } from './observation.js';
import type { OpenShiftSettings } from './operator-config.js';
import { requiredObjects, optionalObjects, apiserverRevision } from './revision-objects.js';
import { apiserverPolicies, openShiftObjects } from './static-objects.js';

export const openShiftApiserver: ApiserverDialect = {
  pod: openShiftApiserverPod,
  arguments: () => openShiftArguments,
  // OpenShift uses the flag anonymous-auth instead.
  authentication: () => undefined,
  files: (config) => ({ 'config.yaml': writeYaml(openshiftConfig(config)) }),
  // OpenShift's kube-apiserver reads every file of a folder.
  publicKeys: (name) => [revisionedConfigMapFolder(name)],
  observation: {
    admission: openShiftAdmission,
    etcdServers,
    issuerUrl: ({ apiServer }) => `https://${apiServer.externalHost}:6443`,
    openShift: openShiftSettings,
    namedCertificates: [
      localhostCertificate,
      ...servingCertificates,
      revisionedPair('localhost-recovery-serving-certkey'),
    ],
  },
  auditRules: openShiftRules,
  encryptedResources: ['configmaps', 'secrets'],
  companions: (store) => trustedBundle(store, 'kube-apiserver'),
  hasNodeKubeconfigs: true,
  staticObjects: (inputs) => [
    ...openShiftObjects,
    ...(payloadOf(inputs).hasNetworkPolicies ? apiserverPolicies : []),
  ],
  // Read by the sidecars and by OpenShift's kube-apiserver. The token is created only after the API is available.
  revision: apiserverRevision({
    configMaps: [
      ...requiredObjects(['kube-apiserver-cert-syncer-kubeconfig', 'kube-apiserver-server-ca']),
      ...optionalObjects(['auth-config', 'cloud-config', 'oauth-metadata']),
    ],
    secrets: [
      ...requiredObjects(['localhost-recovery-serving-certkey']),
      ...optionalObjects(['localhost-recovery-client-token', 'webhook-authenticator']),
    ],
    certConfigMaps: [
      ...requiredObjects(['check-endpoints-kubeconfig', 'control-plane-node-kubeconfig']),
      ...optionalObjects(['trusted-ca-bundle']),
    ],
    certSecrets: requiredObjects([
      'check-endpoints-client-cert-key',
      'control-plane-node-admin-client-cert-key',
      'node-kubeconfigs',
    ]),
  }),
};

/**
 * The order of the authorization modes is significant (configobservation/node/observe_authorization_mode.go).
 * Source: cluster-kube-apiserver-operator bindata/assets/config/defaultconfig.yaml, config-overrides.yaml
 */
const openShiftArguments: FlagValues = {
  // The kubelet's probes send no credentials; RBAC limits anonymous requests to health and version.
  'anonymous-auth': ['true'],
  'audit-log-maxbackup': ['10'],
  'audit-log-maxsize': ['200'],
  'authorization-mode': ['Scope', 'SystemMasters', 'RBAC', 'Node'],
  'enable-admission-plugins': openShiftPlugins,
  'enable-logs-handler': ['false'],
  'etcd-prefix': ['kubernetes.io'],
  'event-ttl': ['3h'],
  'http2-max-streams-per-connection': ['2000'],
  'kubelet-read-only-port': ['0'],
  'kubernetes-service-node-port': ['0'],
  'max-mutating-requests-inflight': ['1000'],
  'max-requests-inflight': ['3000'],
  'min-request-timeout': ['3600'],
  'requestheader-allowed-names': [
    'kube-apiserver-proxy',
    'system:kube-apiserver-proxy',
    'system:openshift-aggregator',
  ],
  'service-account-lookup': ['true'],
  'service-node-port-range': ['30000-32767'],
  'storage-backend': ['etcd3'],
  'storage-media-type': ['application/vnd.kubernetes.protobuf'],
  'strict-transport-security-directives': ['max-age=31536000,includeSubDomains,preload'],
};

/**
 * The configuration file that OpenShift's kube-apiserver reads with `--openshift-config`. Source: openshift/api kubecontrolplane/v1
 * @internal
 */
export function openshiftConfig(config: ApiserverConfig): Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'kubecontrolplane.config.openshift.io/v1',
    kind: 'KubeAPIServerConfig',
    admission: {
      pluginConfig: Object.fromEntries(
        Object.entries(config.admission).map(([name, plugin]) => [name, { ...plugin, location: '' }]),
      ),
    },
    apiServerArguments: config.arguments,
    authConfig: { oauthMetadataFile: '' },
    consolePublicURL: '',
    ...config.openShift,
    serviceAccountPublicKeyFiles: config.serviceAccountPublicKeys,
    servicesSubnet: config.servicesSubnet,
    servingInfo: config.serving,
  };
}

/** Sorted, as the operator does; always includes localhost. */
function etcdServers(store: Store, { node }: LoopInputs): readonly string[] {
  const endpoints = store.get(configMaps, componentNames.etcd.namespace, 'etcd-endpoints')?.data ?? {};
  const hosts = Object.values(endpoints).map((address) => (address === node.ip ? node.urlHost : address));
  return ['localhost', ...hosts].map((host) => `https://${host}:2379`).toSorted(byCodeUnit);
}

/** Settings that only OpenShift's configuration file supports. Source: cluster-kube-apiserver-operator pkg/operator/configobservation: apiserver, images and scheduler */
function openShiftSettings(store: Store): OpenShiftSettings {
  const image = clusterResource(store, 'Image');
  const registries = image.texts('spec', 'externalRegistryHostnames');
  const allowed = image.list('spec', 'allowedRegistriesForImport');
  const origins = clusterResource(store, 'APIServer').texts('spec', 'additionalCORSAllowedOrigins');
  return {
    corsAllowedOrigins: [...new Set([...loopbackOrigins, ...origins])].toSorted(byCodeUnit),
    ...(registries.length + allowed.length > 0 && {
      imagePolicyConfig: {
        ...(allowed.length > 0 && { allowedRegistriesForImport: allowed }),
        ...(registries.length > 0 && { externalRegistryHostnames: registries }),
      },
    }),
    projectConfig: {
      defaultNodeSelector: clusterResource(store, 'Scheduler').text('spec', 'defaultNodeSelector') ?? '',
    },
  };
}

/** Regular expressions for CORS origins. Source: as above, apiserver/observe_cors.go */
const loopbackOrigins = [String.raw`//127\.0\.0\.1(:|$)`, '//localhost(:|$)'];

/** Source: cluster-kube-apiserver-operator bindata/assets/kube-apiserver/pod.yaml */
function openShiftApiserverPod(inputs: LoopInputs, config: ApiserverConfig): Pod {
  return withGracePeriod(
    openShiftPod({
      component: 'kube-apiserver',
      name: 'kube-apiserver',
      labels: { app: 'openshift-kube-apiserver', apiserver: 'true' },
      mainContainer: 'kube-apiserver',
      containers: [openShiftContainer(inputs, config), insecureReadyz(inputs)],
      volumes,
    }),
  );
}

/**
 * Runs kube-apiserver under watch-termination, which writes an event when it stops. watch-termination uses the node's
 * kubeconfig, because the operator's token does not exist before the API does. The lock keeps a later revision from running
 * at the same time. Only root may read the folder of the audit log.
 */
function openShiftContainer(inputs: LoopInputs, { arguments: given }: ApiserverConfig): Container {
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
    // Longer than termination takes. Source: terminationGracePeriodSeconds
    'flock --wait 30 "${lock}"',
    `exec watch-termination ${flagArguments(termination).join(' ')} -- hyperkube kube-apiserver ${flagArguments(server).join(' ')}`,
  ];
  return {
    ...mainContainer,
    image: inputs.images.hyperkube,
    command: ['/bin/bash', '-ec'],
    args: [script.map((line) => `${line}\n`).join('')],
    env: [
      fieldVariable('POD_NAME', 'metadata.name'),
      fieldVariable('POD_NAMESPACE', 'metadata.namespace'),
      { name: 'STATIC_POD_VERSION', value: 'REVISION' },
      fieldVariable('HOST_IP', 'status.hostIP'),
    ],
    securityContext: { privileged: true, readOnlyRootFilesystem: true },
    ...probesAt(undefined),
  };
}

/** Health endpoint for load balancers without TLS. */
function insecureReadyz({ images }: LoopInputs): Container {
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
