import { defineAsset } from '../../graph/asset.js';
import type { NodeFile } from '../../ignition/types.js';
import { snoConfig } from '../config/sno-config.js';
import { defineManifests } from './family.js';
import { machineConfigManifest } from './machine-config-files.js';

/** A file that the live system and the installed node have in common, with the MachineConfig that brings it to the latter. */
interface NodeSetting {
  readonly machineConfigName: string;
  readonly file: NodeFile;
}

/** The files that sno-config.yaml asks for on the node, made once for the live system and the installed one. */
const nodeSettings = defineAsset({
  name: 'manifests/node-settings',
  needs: { sno: snoConfig },
  make: ({ sno: { hostname, nodeIP, ntpSources } }): readonly NodeSetting[] => [
    ...(hostname === undefined ? [] : [hostnameSetting(hostname)]),
    ...(nodeIP === undefined ? [] : [nodeIpSetting(nodeIP)]),
    ...(ntpSources.length === 0 ? [] : [timeSetting(ntpSources)]),
  ],
});

/** The same files for the live system. */
export const nodeSettingFiles = defineAsset({
  name: 'manifests/node-setting-files',
  needs: { nodeSettings },
  make: ({ nodeSettings }): readonly NodeFile[] => nodeSettings.map(({ file }) => file),
});

/** The MachineConfigs of the settings of sno-config.yaml. */
export const nodeSettingConfigs = defineManifests({
  name: 'manifests/node-setting-configs',
  needs: { nodeSettings, sno: snoConfig },
  make: ({ nodeSettings, sno: { kernelArguments } }) => [
    ...nodeSettings.map(({ machineConfigName, file }) =>
      machineConfigManifest('master', machineConfigName, { files: [file] }),
    ),
    ...(kernelArguments.length === 0
      ? []
      : [machineConfigManifest('master', '99-master-kernel-arguments', { kernelArguments })]),
  ],
  // The live system has the same files.
  alsoElsewhere: () => [
    { path: ['spec', 'config'], input: 'hostname, nodeIP and ntpSources in sno-config.yaml' },
  ],
});

/** One name in the live system and after the reboot: etcd's certificates carry it. */
function hostnameSetting(hostname: string): NodeSetting {
  const file = { path: '/etc/hostname', mode: 0o644, contents: `${hostname}\n` };
  return { machineConfigName: '99-master-hostname', file };
}

/**
 * The address whose subnet the node's address is chosen from, where it has several.
 * Source: openshift/machine-config-operator, unit nodeip-configuration.service.
 */
function nodeIpSetting(nodeIP: string): NodeSetting {
  const contents = `KUBELET_NODEIP_HINT=${nodeIP}\n`;
  const file = { path: '/etc/default/nodeip-configuration', mode: 0o644, contents };
  return { machineConfigName: '10-master-node-ip-hint', file };
}

/** The system's own settings with other sources. Source: chrony.conf(5) and the file that RHEL ships. */
function timeSetting(sources: readonly string[]): NodeSetting {
  const lines = [
    ...sources.map((source) => `server ${source} iburst`),
    'driftfile /var/lib/chrony/drift',
    'makestep 1.0 3',
    'rtcsync',
    'logdir /var/log/chrony',
  ];
  const file = { path: '/etc/chrony.conf', mode: 0o644, contents: `${lines.join('\n')}\n` };
  return { machineConfigName: '99-master-chrony', file };
}
