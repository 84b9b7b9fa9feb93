import { defineAsset } from '../../../graph/asset.js';
import type { NodeFile } from '../../../ignition/types.js';
import { machineConfigManifest } from '../../../manifests/machine-config-files.js';
import {
  hostnameSetting,
  nodeIpSetting,
  nodeLabelFile,
  type NodeSetting,
  timeSetting,
} from '../../../node/node-settings.js';
import { snoConfig } from '../../config/sno-config.js';
import { defineManifests } from '../family.js';

/** Files for node settings of sno-config.yaml, shared by the live system and the installed node. */
const nodeSettings = defineAsset({
  name: 'manifests/node-settings',
  needs: { sno: snoConfig },
  make: ({ sno: { hostname, nodeIP, ntpSources } }): readonly NodeSetting[] => [
    ...(hostname === undefined ? [] : [hostnameSetting(hostname)]),
    ...(nodeIP === undefined ? [] : [nodeIpSetting(nodeIP)]),
    ...(ntpSources.length === 0 ? [] : [timeSetting(ntpSources)]),
  ],
});

/** The files on the live system. */
export const nodeSettingFiles = defineAsset({
  name: 'manifests/node-setting-files',
  needs: { nodeSettings },
  make: ({ nodeSettings }): readonly NodeFile[] => nodeSettings.map(({ file }) => file),
});

/** The MachineConfigs of these files. */
export const nodeSettingConfigs = defineManifests({
  name: 'manifests/node-setting-configs',
  needs: { nodeSettings, sno: snoConfig },
  make: ({ nodeSettings, sno: { kernelArguments, nodeLabels } }) => [
    ...nodeSettings.flatMap(({ machineConfigs: { master, worker }, file }) => [
      machineConfigManifest('master', master, { files: [file] }),
      ...(worker === undefined ? [] : [machineConfigManifest('worker', worker, { files: [file] })]),
    ]),
    ...(kernelArguments.length === 0
      ? []
      : [machineConfigManifest('master', '99-master-kernel-arguments', { kernelArguments })]),
    ...(Object.keys(nodeLabels).length === 0
      ? []
      : [machineConfigManifest('master', '99-master-node-labels', { files: [nodeLabelFile(nodeLabels)] })]),
  ],
  // The live system has the same files.
  alsoElsewhere: () => [
    { path: ['spec', 'config'], input: 'hostname, nodeIP and ntpSources in sno-config.yaml' },
  ],
});
