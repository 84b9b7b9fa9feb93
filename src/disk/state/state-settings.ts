import { nodeAt } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import { readConfigFile } from '../../config/reading/config-file.js';

/** State settings in sno-config.yaml. */
export interface StateSettings {
  readonly recipients: readonly string[];
  readonly encryptOutputs?: boolean;
}

/**
 * Reads the state settings of sno-config.yaml before the config is validated, because the state is read first. Recipients are
 * validated with the rest of the config.
 */
export function stateSettings(inputs: Inputs): StateSettings {
  const read = inputs.read(file);
  // Most configs have none of these settings and need not be parsed.
  if (read.kind !== 'file' || !/recipients|encryptOutputs/.test(Buffer.from(read.bytes).toString('utf8')))
    return { recipients: [] };
  const config = readConfigFile(inputs, file);
  const root = config.kind === 'document' ? config.root : undefined;
  const list = root && nodeAt(root, ['state', 'recipients']);
  const encrypt = root && nodeAt(root, ['state', 'encryptOutputs']);
  return {
    recipients:
      list?.kind === 'list'
        ? list.items.flatMap((item) =>
            item.kind === 'scalar' && typeof item.value === 'string' ? [item.value] : [],
          )
        : [],
    ...(encrypt?.kind === 'scalar' &&
      typeof encrypt.value === 'boolean' && { encryptOutputs: encrypt.value }),
  };
}

const file = 'sno-config.yaml';
