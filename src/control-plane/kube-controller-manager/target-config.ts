import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames, managedConfigNamespace as managed } from '../../kube/components.js';
import { configMap, type ConfigMap, type Secret } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';
import { configMaps, secrets } from '../../loops/kinds.js';
import type { ControlPlaneInputs } from '../../loops/loop-inputs.js';
import type { Loop } from '../../loops/loop.js';
import { combinedBundle } from '../../loops/resource-sync.js';
import type { Store } from '../../loops/store.js';
import { fileKubeconfig } from '../shared/file-kubeconfig.js';
import { featureGateSettings } from '../shared/flag-list.js';
import { renewablePair, revisionedConfigMap } from '../shared/mounted-paths.js';
import { withProxy } from '../shared/proxy-environment.js';
import { podConfigMap } from '../shared/static-pod.js';
import { controllerManagerConfig, openshiftConfig, type ControllerManagerConfig } from './config.js';
import { controllerManagerPod } from './pod.js';
import { recyclerConfig } from './recycler.js';

const { namespace, operatorNamespace } = componentNames['kube-controller-manager'];

/**
 * The target config loop: configuration, kubeconfig and static pod; the signer of certificate requests and the bundles by
 * which it is known. Source: cluster-kube-controller-manager-operator pkg/operator/targetconfigcontroller
 */
export const targetConfig: Loop = {
  name: 'target config',
  component: 'kube-controller-manager',
  run: (store, inputs) => {
    const config = controllerManagerConfig(inputs, store);
    const wanted: readonly (KubeObject | undefined)[] = [
      ...(config === undefined ? [] : configured(config, inputs, store)),
      ...(inputs.profile === 'OpenShift' ? [recyclerConfig(inputs), trustedBundle(store)] : []),
      combinedBundle(store, { namespace: operatorNamespace, name: 'csr-controller-ca' }, [
        { namespace: operatorNamespace, name: 'csr-signer-ca' },
        { namespace: operatorNamespace, name: 'csr-controller-signer-ca' },
      ]),
      promotedSigner(store),
      combinedBundle(store, { namespace, name: 'serviceaccount-ca' }, [
        { namespace: managed, name: 'kube-apiserver-server-ca' },
        { namespace: managed, name: 'default-ingress-cert' },
      ]),
      kubeconfig(),
    ];
    return wanted.filter((object) => object !== undefined).reduce((each, object) => each.put(object), store);
  },
};

function configured(
  config: ControllerManagerConfig,
  inputs: ControlPlaneInputs,
  store: Store,
): readonly KubeObject[] {
  const pod = podConfigMap('kube-controller-manager', withProxy(controllerManagerPod(inputs, config), store));
  if (inputs.profile === 'Kubernetes') return [pod];
  const configFile = { 'config.yaml': writeYaml(openshiftConfig(config)) };
  return [configMap({ namespace, name: 'config' }, configFile), policyConfig(config, inputs), pod];
}

/** Without a serving certificate, which only a running cluster issues, cluster-policy-controller signs one itself. */
function policyConfig(
  { clientCaFile, serving }: ControllerManagerConfig,
  inputs: ControlPlaneInputs,
): ConfigMap {
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

/** Over loopback, not over the name that the operator takes: no name resolves before the cluster's DNS runs. */
function kubeconfig(): ConfigMap {
  const text = fileKubeconfig({
    user: 'kube-controller-manager',
    server: 'https://localhost:6443',
    caFile: revisionedConfigMap('serviceaccount-ca'),
    ...renewablePair('kube-controller-manager-client-cert-key'),
  });
  return configMap({ namespace, name: 'controller-manager-kubeconfig' }, { kubeconfig: text });
}

/** What signs requests, without its own signer: the controller takes one certificate, not a chain. */
function promotedSigner(store: Store): Secret | undefined {
  const signer = store.get(secrets, operatorNamespace, 'csr-signer');
  if (signer === undefined) return undefined;
  const chain = Buffer.from(signer.data['tls.crt'] ?? '', 'base64').toString();
  const certificate = chain.slice(0, chain.indexOf(endOfCertificate) + endOfCertificate.length);
  const { annotations } = signer.metadata;
  return {
    ...signer,
    metadata: { namespace, name: 'csr-signer', ...(annotations && { annotations }) },
    data: { ...signer.data, 'tls.crt': Buffer.from(certificate).toString('base64') },
  };
}

const endOfCertificate = '-----END CERTIFICATE-----\n';

/** Filled by the network operator, as its label asks; a later revision reads it. */
function trustedBundle(store: Store): ConfigMap | undefined {
  const place = { namespace, name: 'trusted-ca-bundle' };
  if (store.get(configMaps, namespace, place.name) !== undefined) return undefined;
  return configMap({ ...place, labels: { 'config.openshift.io/inject-trusted-cabundle': 'true' } }, {});
}
