import { nodeAt } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import { readConfigFile } from './config-file.js';

/**
 * Whether install-config.yaml asks for FIPS mode, before anything is made of it: keys are drawn while the rest is read. A config
 * that cannot be read asks for nothing; its problems are told by its own asset.
 */
export function asksForFips(inputs: Inputs): boolean {
  const read = inputs.read(file);
  // Most configs do not name it, and are not parsed for it.
  if (read.kind !== 'file' || !Buffer.from(read.bytes).includes('fips')) return false;
  const config = readConfigFile(inputs, file);
  const value = config.kind === 'document' ? nodeAt(config.root, ['fips']) : undefined;
  return value?.kind === 'scalar' && value.value === true;
}

const file = 'install-config.yaml';
