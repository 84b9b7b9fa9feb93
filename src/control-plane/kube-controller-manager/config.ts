import { payloadOf, type ControlPlaneInputs } from '../../loops/loop-inputs.js';
import type { Store } from '../../loops/store.js';
import { featureGateFlags, type FlagValues } from '../shared/flag-list.js';
import {
  renewableConfigMap,
  renewablePair,
  revisionedConfigMap,
  revisionedSecret,
} from '../shared/mounted-paths.js';
import { controllerManagerOperators, type ObservedConfig } from './operator-config.js';

/** All that kube-controller-manager is told, from which its configuration file and its flags are written. */
export interface ControllerManagerConfig {
  /** How it reaches the API, and who it is to it; it asks there too whom its own clients are. */
  readonly kubeconfig: string;
  /** Authorities of its own clients. With both given it needs no ConfigMap of the cluster to start. */
  readonly clientCaFile: string;
  readonly requestheaderClientCaFile: string;
  /** Absent means every address. */
  readonly bindAddress?: string;
  readonly serving: ObservedConfig['servingInfo'];
  /** Everything else, by flag, with what was observed and what the user asked for. */
  readonly extendedArguments: FlagValues;
}

/** What was observed over the defaults, and the user's arguments over both; undefined before anything was observed. */
export function controllerManagerConfig(
  inputs: ControlPlaneInputs,
  store: Store,
): ControllerManagerConfig | undefined {
  const observed = store.get(controllerManagerOperators, '', 'cluster')?.spec.observedConfig;
  if (observed === undefined) return undefined;
  const isOpenShift = inputs.profile === 'OpenShift';
  return {
    kubeconfig: revisionedConfigMap('controller-manager-kubeconfig', 'kubeconfig'),
    clientCaFile: renewableConfigMap('client-ca'),
    requestheaderClientCaFile: renewableConfigMap('aggregator-client-ca'),
    ...(!isOpenShift && { bindAddress: inputs.networks.family === 'IPv6' ? '::1' : '127.0.0.1' }),
    serving: observed.servingInfo,
    extendedArguments: {
      ...filesAndRights,
      ...(isOpenShift ? operatorArguments(inputs) : oneNodeArguments),
      'cluster-signing-duration': [`${inputs.clusterSigningSeconds}s`],
      ...observed.extendedArguments,
      ...featureGateFlags(inputs),
      ...inputs.extraArguments['kube-controller-manager'],
    },
  };
}

/** The object that OpenShift's program takes with `--openshift-config`. Source: openshift/api kubecontrolplane/v1 */
export function openshiftConfig({
  extendedArguments,
}: ControllerManagerConfig): Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'kubecontrolplane.config.openshift.io/v1',
    kind: 'KubeControllerManagerConfig',
    extendedArguments,
    projectConfig: { defaultNodeSelector: '' },
    serviceServingCert: { certFile: '' },
  };
}

/** The same as flags of the program, OpenShift's and upstream's alike. */
export function controllerManagerFlags(config: ControllerManagerConfig): FlagValues {
  const { kubeconfig, bindAddress, serving } = config;
  return {
    kubeconfig: [kubeconfig],
    'authentication-kubeconfig': [kubeconfig],
    'authorization-kubeconfig': [kubeconfig],
    'client-ca-file': [config.clientCaFile],
    'requestheader-client-ca-file': [config.requestheaderClientCaFile],
    ...(bindAddress !== undefined && { 'bind-address': [bindAddress] }),
    'tls-cipher-suites': [serving.cipherSuites.join(',')],
    'tls-min-version': [serving.minTLSVersion],
    v: ['2'],
    ...config.extendedArguments,
  };
}

const csrSigner = renewablePair('csr-signer');

/** Source: cluster-kube-controller-manager-operator bindata/assets/config/defaultconfig.yaml */
const filesAndRights: FlagValues = {
  'cluster-signing-cert-file': [csrSigner.certFile],
  'cluster-signing-key-file': [csrSigner.keyFile],
  'root-ca-file': [revisionedConfigMap('serviceaccount-ca')],
  'service-account-private-key-file': [
    revisionedSecret('service-account-private-key', 'service-account.key'),
  ],
  'use-service-account-credentials': ['true'],
};

const recyclerPod = revisionedConfigMap('recycler-config', 'recycler-pod.yaml');

/** Source: as above; what differs between releases is in the table of releases. */
function operatorArguments(inputs: ControlPlaneInputs): FlagValues {
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

/**
 * No leader is elected where there is one candidate: the lease would cost a write every two seconds, and a restart would
 * wait fifteen for the lease of the process that is gone. Bootstrap tokens are not used, so their two controllers, which
 * upstream leaves off, stay off. Certificate requests of kubelets are approved by the node itself, which looks at every name:
 * upstream's controller would approve any that an administrator sends.
 */
const oneNodeArguments: FlagValues = {
  'allocate-node-cidrs': ['true'],
  controllers: ['*', '-csrapproving'],
  'leader-elect': ['false'],
  profiling: ['false'],
};
