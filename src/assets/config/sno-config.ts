import { success } from '../../core/result.js';
import { toData } from '../../formats/yaml-tree.js';
import { readYaml } from '../../formats/yaml.js';
import { checkedAs } from '../../formats/schema.js';
import { defineAsset } from '../../graph/asset.js';
import type { SnoConfig } from './sno-config-model.js';

const day = 24 * 60 * 60;

/** sno-config.yaml, checked, with defaults; all defaults when the file is absent. */
export const snoConfig = defineAsset({
  name: 'config/sno-config',
  needs: {},
  tryMake: (_parents, { inputs }) => {
    const read = inputs.read('sno-config.yaml');
    if (read.kind !== 'file') return success(withDefaults({}));
    return success(withDefaults(checkedAs<Partial<SnoConfig>>(data(read.bytes))));
  },
});

function withDefaults(input: Partial<SnoConfig>): SnoConfig {
  return {
    ntpSources: [],
    kernelArguments: [],
    extraManifests: [],
    ...input,
    controlPlane: { render: 'Release' },
    certificates: { validitySeconds: 30 * day, backdateSeconds: 3600, keyAlgorithm: 'RSA-2048' },
    kubelet: {},
    dns: { local: false },
  };
}

function data(bytes: Uint8Array): unknown {
  const [root] = readYaml(new TextDecoder().decode(bytes)).documents;
  return root ? toData(root) : {};
}
