import { parse } from 'yaml';

import type { IgnitionConfig } from '../../../../src/ignition/types.js';
import { roleLabel, type MachineConfig } from '../../../../src/kube/machine-config.js';
import type { KubeObject } from '../../../../src/kube/object.js';
import { nodeBase } from '../../../lab/release/master-base.js';

/** The network of the pods of the only worker. Source: www.cni.dev/plugins, bridge and host-local */
const podNetwork = {
  type: 'bridge',
  bridge: 'cni0',
  isGateway: true,
  ipMasq: true,
  ipam: { type: 'host-local', ranges: [[{ subnet: '10.128.2.0/23' }]], routes: [{ dst: '0.0.0.0/0' }] },
};

/**
 * The rendered MachineConfig of the pool `worker`: a base config in place of the templates of the machine-config operator, merged with
 * every MachineConfig of the site with that role. The real unit labels the node `node-role.kubernetes.io/worker`, which upstream's
 * kubelet rejects.
 */
export function renderedWorker(
  manifests: readonly (readonly [string, string])[],
  clientCa: string,
): MachineConfig {
  const own = manifests
    .map(([, text]) => parse(text) as KubeObject)
    .filter((object): object is MachineConfig => object.kind === 'MachineConfig')
    .filter(({ metadata }) => metadata.labels?.[roleLabel] === 'worker');
  const configs = [nodeBase(clientCa, [podNetwork]), ...own.map(({ spec }) => spec.config)];
  const kernelArguments = own.flatMap(({ spec }) => spec.kernelArguments ?? []);
  return {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name: 'rendered-worker-1' },
    spec: { config: merged(configs), kernelArguments },
  };
}

type Config = MachineConfig['spec']['config'];

function merged(configs: readonly Config[]): IgnitionConfig {
  return {
    ignition: { version: '3.2.0' },
    passwd: { users: configs.flatMap(({ passwd }) => passwd?.users ?? []) },
    storage: { files: configs.flatMap(({ storage }) => storage?.files ?? []) },
    systemd: { units: configs.flatMap(({ systemd }) => systemd?.units ?? []) },
  };
}
