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
import { controllerManagerRevision } from './revision-objects.js';

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
  // Flags configure everything, and only operators read the other objects.
  files: () => [],
  companions: () => [],
  staticObjects: () => [],
  revision: controllerManagerRevision({ configMaps: [], secrets: [], certConfigMaps: [] }),
};

/**
 * Leader election is off, because there is one candidate: the lease would cost a write every two seconds, and a restart would
 * wait fifteen seconds for the lease of the previous process. Bootstrap tokens are not used; their two controllers stay off, as
 * by default. The node itself approves the kubelets' CSRs and checks every name; upstream's `csrapproving` controller would
 * approve any CSR that an administrator creates.
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
 * The node's pod network is a subnet of the cluster network. kube-controller-manager accepts one cluster network per IP family.
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
