import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames } from '../../kube/components.js';
import { configMap, type ConfigMap } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';
import type { LoopInputs } from '../../loops/loop-inputs.js';
import type { Store } from '../../loops/store.js';
import { featureGateSettings } from '../shared/flag-list.js';
import { trustedBundle } from '../shared/trusted-bundle.js';
import type { ControllerManagerConfig } from './config-model.js';
import { recyclerConfig } from './recycler.js';

const { namespace } = componentNames['kube-controller-manager'];

/** The configurations of kube-controller-manager and of cluster-policy-controller beside it. */
export function openShiftFiles(config: ControllerManagerConfig, inputs: LoopInputs): readonly KubeObject[] {
  const configFile = { 'config.yaml': writeYaml(openshiftConfig(config)) };
  return [configMap({ namespace, name: 'config' }, configFile), policyConfig(config, inputs)];
}

/** What OpenShift's operator makes besides. */
export function openShiftCompanions(inputs: LoopInputs, store: Store): readonly KubeObject[] {
  return [recyclerConfig(inputs), ...trustedBundle(store, 'kube-controller-manager')];
}

/** The object that OpenShift's program takes with `--openshift-config`. Source: openshift/api kubecontrolplane/v1 */
function openshiftConfig({ extendedArguments }: ControllerManagerConfig): Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'kubecontrolplane.config.openshift.io/v1',
    kind: 'KubeControllerManagerConfig',
    extendedArguments,
    projectConfig: { defaultNodeSelector: '' },
    serviceServingCert: { certFile: '' },
  };
}

/** Without a serving certificate, which only a running cluster issues, cluster-policy-controller signs one itself. */
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
