import { nodeAt } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import { readConfigFile } from './config-file.js';

/**
 * To whom sno-config.yaml wants the state file encrypted, before anything is made of it: the state is read first. Whether they
 * are recipients is judged with the rest of the config.
 */
export function stateRecipients(inputs: Inputs): readonly string[] {
  const read = inputs.read(file);
  // Most configs do not name any, and are not parsed for it.
  if (read.kind !== 'file' || !Buffer.from(read.bytes).includes('recipients')) return [];
  const config = readConfigFile(inputs, file);
  const list = config.kind === 'document' ? nodeAt(config.root, ['state', 'recipients']) : undefined;
  if (list?.kind !== 'list') return [];
  return list.items.flatMap((item) =>
    item.kind === 'scalar' && typeof item.value === 'string' ? [item.value] : [],
  );
}

const file = 'sno-config.yaml';
