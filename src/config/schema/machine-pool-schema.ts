import { z } from 'zod';

import { count, notForSingleNode, optional, required } from './schema-parts.js';

const architecture = z.enum(['amd64', 'arm64', 'ppc64le', 's390x']);

const hyperthreading = optional(
  z.enum(['Enabled', 'Disabled']),
  'Simultaneous multithreading. Disabled adds kernel arguments to the machines of the pool.',
  { default: 'Enabled' },
);

const noPlatform = optional(notForSingleNode, 'Settings of cloud machines. Empty on platform none.');

const unusable = {
  fencing: optional(notForSingleNode, 'Fencing of two-node clusters. Not supported for a single node.'),
  diskSetup: optional(
    z.array(notForSingleNode),
    'Separate disks for etcd, swap or data. Not supported on platform none; use a MachineConfig.',
  ),
  management: optional(z.string(), 'Management of the machines. Only for AWS.'),
};

/** `controlPlane` of install-config.yaml. Source: openshift/installer pkg/types/machinepools.go. */
export const controlPlaneSchema = z.strictObject({
  name: optional(z.string(), 'Always `master`.', { default: 'master' }),
  replicas: optional(
    count,
    'Number of control plane nodes: 1. openshift-install defaults to 3, so set it if both tools read the file.',
    { default: 1 },
  ),
  architecture: optional(architecture, 'CPU architecture of the node.', { default: 'amd64' }),
  hyperthreading,
  platform: noPlatform,
  ...unusable,
});

/** An entry of `compute` of install-config.yaml. Source: openshift/installer pkg/types/machinepools.go. */
export const computePoolSchema = z.strictObject({
  name: required(z.string(), 'Always `worker` on platform none.'),
  replicas: optional(
    count,
    'Number of workers that join later. It determines where the router runs and whether the control plane node is schedulable. openshift-install defaults to 3.',
    { default: 0 },
  ),
  architecture: optional(
    architecture,
    'CPU architecture of the workers; must be that of the control plane, which is the default.',
  ),
  hyperthreading,
  platform: noPlatform,
  ...unusable,
});
