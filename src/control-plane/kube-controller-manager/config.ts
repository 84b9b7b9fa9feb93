import type { LoopInputs } from '../loops/loop-inputs.js';
import type { Store } from '../loops/store.js';
import { featureGateFlags, type FlagValues } from '../shared/flag-list.js';
import {
  renewableConfigMap,
  renewablePair,
  revisionedConfigMap,
  revisionedSecret,
} from '../shared/mounted-paths.js';
import type { ControllerManagerConfig } from './config-model.js';
import type { ControllerManagerDialect } from './dialect.js';
import { controllerManagerOperators } from './operator-config.js';

/** Defaults, overridden by observed settings, overridden by the user's arguments. Undefined before config observation has run. */
export function controllerManagerConfig(
  dialect: Pick<ControllerManagerDialect, 'arguments' | 'bindAddress'>,
  inputs: LoopInputs,
  store: Store,
): ControllerManagerConfig | undefined {
  const observed = store.get(controllerManagerOperators, '', 'cluster')?.spec.observedConfig;
  if (observed === undefined) return undefined;
  const bindAddress = dialect.bindAddress(inputs);
  return {
    kubeconfig: revisionedConfigMap('controller-manager-kubeconfig', 'kubeconfig'),
    clientCaFile: renewableConfigMap('client-ca'),
    requestheaderClientCaFile: renewableConfigMap('aggregator-client-ca'),
    ...(bindAddress !== undefined && { bindAddress }),
    serving: observed.servingInfo,
    extendedArguments: {
      ...filesAndRights,
      ...dialect.arguments(inputs),
      'cluster-signing-duration': [`${inputs.clusterSigningSeconds}s`],
      ...observed.extendedArguments,
      ...featureGateFlags(inputs),
      ...inputs.extraArguments['kube-controller-manager'],
    },
  };
}

/** The configuration as flags, for OpenShift's and upstream's program. */
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
