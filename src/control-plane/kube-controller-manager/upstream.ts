import { loopbackAddress } from '../../formats/cidr.js';
import type { Container } from '../../kube/pod-object.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import { flagArguments, type FlagValues } from '../shared/flag-list.js';
import { kubeadmProbes } from '../shared/kubeadm-probes.js';
import { resourceMounts, upstreamPod } from '../shared/static-pod.js';
import type { ControllerManagerConfig } from './config-model.js';
import { controllerManagerFlags } from './config.js';
import { mainContainer, port } from './container.js';
import type { ControllerManagerDialect } from './dialect.js';
import { revisionOf } from './read-objects.js';

/** kube-controller-manager as Kubernetes publishes it, alone on its node. */
export const upstreamControllerManager: ControllerManagerDialect = {
  pod: (inputs, config) =>
    upstreamPod({
      component: 'kube-controller-manager',
      containers: [kubernetesContainer(inputs, config)],
      volumes: [],
    }),
  arguments: () => oneNodeArguments,
  bindAddress: ({ networks }) => loopbackAddress(networks.family),
  observation: (inputs) => ({
    ...withPodNetworks(inputs),
    'cluster-name': [inputs.apiServer.clusterName],
  }),
  // Flags say it all, and without operators nobody reads the rest.
  files: () => [],
  companions: () => [],
  staticObjects: () => [],
  revision: revisionOf({ configMaps: [], secrets: [], certConfigMaps: [] }),
};

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

function kubernetesContainer(inputs: LoopInputs, config: ControllerManagerConfig): Container {
  const { bindAddress: host } = config;
  const httpGet = { scheme: 'HTTPS', ...(host !== undefined && { host }), path: '/healthz', port } as const;
  return {
    ...mainContainer,
    image: inputs.images['kube-controller-manager'],
    command: ['kube-controller-manager'],
    args: flagArguments(controllerManagerFlags(config)),
    ...kubeadmProbes({ start: httpGet, live: httpGet }),
    volumeMounts: resourceMounts,
  };
}

/**
 * The node's pod network is cut out of the cluster's, of which kube-controller-manager takes one for each family.
 * Source: k8s.io/kubernetes cmd/kube-controller-manager/app/core.go, validateCIDRs and setNodeCIDRMaskSizes
 */
function withPodNetworks({ networks }: LoopInputs): FlagValues {
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
