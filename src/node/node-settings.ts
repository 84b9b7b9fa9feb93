import { byCodeUnit } from '../core/compare.js';
import type { NodeFile } from '../ignition/types.js';
import { kubeletLabelsVariable } from '../kube/machine-config.js';

/** A file of both the live system and the installed node, and the MachineConfigs that write it on the latter. */
export interface NodeSetting {
  /** MachineConfig names by the role of the nodes that get the file. */
  readonly machineConfigs: { readonly master: string; readonly worker?: string };
  readonly file: NodeFile;
}

/** The hostname in the live system and after the reboot must be equal, because etcd's certificates contain it. */
export function hostnameSetting(hostname: string): NodeSetting {
  const file = { path: '/etc/hostname', mode: 0o644, contents: `${hostname}\n` };
  return { machineConfigs: { master: '99-master-hostname' }, file };
}

/**
 * On a node with several addresses, selects the one in the subnet of `nodeIP`.
 * Source: openshift/machine-config-operator, unit nodeip-configuration.service.
 */
export function nodeIpSetting(nodeIP: string): NodeSetting {
  const contents = `KUBELET_NODEIP_HINT=${nodeIP}\n`;
  const file = { path: '/etc/default/nodeip-configuration', mode: 0o644, contents };
  return { machineConfigs: { master: '10-master-node-ip-hint' }, file };
}

/**
 * A drop-in for the unit of the kubelet. The characters of labels have no special meaning in units. The machine config operator writes
 * its own drop-ins as files too. Source: machine-config-operator templates/common/_base/files/kubelet-log-level.yaml
 */
export function nodeLabelFile(labels: Readonly<Record<string, string>>): NodeFile {
  const list = Object.entries(labels)
    .toSorted(([left], [right]) => byCodeUnit(left, right))
    .map(([key, value]) => `${key}=${value}`);
  return {
    path: '/etc/systemd/system/kubelet.service.d/30-node-labels.conf',
    mode: 0o644,
    contents: `[Service]\nEnvironment="${kubeletLabelsVariable}=${list.join(',')}"\n`,
  };
}

/**
 * The operating system's chrony.conf with other sources. Also for workers, which join from the same network; other installers do the same.
 * Source: chrony.conf(5) and the file that RHEL ships; openshift/assisted-service internal/network/manifests_generator.go
 */
export function timeSetting(sources: readonly string[]): NodeSetting {
  const lines = [
    ...sources.map((source) => `server ${source} iburst`),
    'driftfile /var/lib/chrony/drift',
    'makestep 1.0 3',
    'rtcsync',
    'logdir /var/log/chrony',
  ];
  const file = { path: '/etc/chrony.conf', mode: 0o644, contents: `${lines.join('\n')}\n` };
  return { machineConfigs: { master: '99-master-chrony', worker: '99-worker-chrony' }, file };
}
