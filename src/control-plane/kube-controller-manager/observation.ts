import type { ControlPlaneInputs } from '../../loops/loop-inputs.js';
import type { Loop } from '../../loops/loop.js';
import type { Store } from '../../loops/store.js';
import type { FlagValues } from '../shared/flag-list.js';
import { observedServing } from '../shared/tls-profile.js';
import {
  controllerManagerOperators,
  type ControllerManagerOperator,
  type ObservedConfig,
} from './operator-config.js';

/**
 * The config observation loop: `KubeControllerManager/cluster` says what the cluster's networks and name ask for.
 * Source: cluster-kube-controller-manager-operator pkg/operator/configobservation
 */
export const configObservation: Loop = {
  name: 'config observation',
  component: 'kube-controller-manager',
  run: (store, inputs) => {
    const operator = store.get(controllerManagerOperators, '', 'cluster') ?? untouchedOperator;
    return store.put({ ...operator, spec: { ...operator.spec, observedConfig: observe(store, inputs) } });
  },
};

/** As the operator's manifest has it: manifests/0000_25_kube-controller-manager-operator_01_operator.cr.yaml */
const untouchedOperator: ControllerManagerOperator = {
  apiVersion: 'operator.openshift.io/v1',
  kind: 'KubeControllerManager',
  metadata: { name: 'cluster' },
  spec: { managementState: 'Managed', useMoreSecureServiceCA: true },
};

function observe(store: Store, inputs: ControlPlaneInputs): ObservedConfig {
  const { networks, apiServer, profile } = inputs;
  const ofProfile = profile === 'OpenShift' ? ofOperators(inputs) : withPodNetworks(inputs);
  return {
    extendedArguments: {
      ...ofProfile,
      'cluster-name': [profile === 'OpenShift' ? apiServer.infraId : apiServer.clusterName],
      'service-cluster-ip-range': [networks.serviceNetwork.join(',')],
    },
    servingInfo: observedServing(store),
  };
}

function ofOperators({ networks }: ControlPlaneInputs): FlagValues {
  return { 'cluster-cidr': [networks.clusterNetwork.map(({ cidr }) => cidr).join(',')] };
}

/**
 * The node's pod network is cut out of the cluster's, of which kube-controller-manager takes one for each family.
 * Source: k8s.io/kubernetes cmd/kube-controller-manager/app/core.go, validateCIDRs and setNodeCIDRMaskSizes
 */
function withPodNetworks({ networks }: ControlPlaneInputs): FlagValues {
  const families = [
    { size: 'node-cidr-mask-size-ipv4', isOf: (cidr: string) => !cidr.includes(':') },
    { size: 'node-cidr-mask-size-ipv6', isOf: (cidr: string) => cidr.includes(':') },
  ];
  const chosen = families.flatMap(({ size, isOf }) => {
    const network = networks.clusterNetwork.find(({ cidr }) => isOf(cidr));
    return network === undefined ? [] : [{ size, network }];
  });
  const inOrder = networks.clusterNetwork.filter((each) => chosen.some(({ network }) => network === each));
  return {
    'cluster-cidr': [inOrder.map(({ cidr }) => cidr).join(',')],
    ...Object.fromEntries(chosen.map(({ size, network }) => [size, [String(network.hostPrefix)]])),
  };
}
