import type { NodeFile } from '../ignition/types.js';

/** A file that the live system and the installed node have in common, with the MachineConfigs that bring it to the latter. */
export interface NodeSetting {
  /** Name of the MachineConfig, by the role of the nodes that get the file. */
  readonly machineConfigs: { readonly master: string; readonly worker?: string };
  readonly file: NodeFile;
}

/** One name in the live system and after the reboot: etcd's certificates carry it. */
export function hostnameSetting(hostname: string): NodeSetting {
  const file = { path: '/etc/hostname', mode: 0o644, contents: `${hostname}\n` };
  return { machineConfigs: { master: '99-master-hostname' }, file };
}

/**
 * The address whose subnet the node's address is chosen from, where it has several.
 * Source: openshift/machine-config-operator, unit nodeip-configuration.service.
 */
export function nodeIpSetting(nodeIP: string): NodeSetting {
  const contents = `KUBELET_NODEIP_HINT=${nodeIP}\n`;
  const file = { path: '/etc/default/nodeip-configuration', mode: 0o644, contents };
  return { machineConfigs: { master: '10-master-node-ip-hint' }, file };
}

/**
 * The system's own settings with other sources, for workers too: they join from the same network, and the other installers do so.
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
