import { join } from 'node:path';

import type { Outside } from '../../disk/outside/read-reference.js';
import { noStandardInput } from '../../disk/outside/standard-input.js';
import { inputsOf, inputsOfSites } from '../../disk/read-inputs.js';
import type { FleetFiles } from '../site-files.js';
import type { SiteOrder } from './site-order.js';

export type FilesOrder = Pick<SiteOrder, 'dir' | 'base' | 'overrides' | 'variables' | 'stdin'>;

/** Input files of all sites; files of the base are read once. */
export function filesOf(order: FilesOrder): FleetFiles {
  const { dir, base, overrides } = order;
  return {
    base,
    overrides,
    baseInputs: inputsOf(join(dir, base), {}, outsideOf(order), dir),
    overrideInputs: inputsOfSites(join(dir, overrides), dir),
  };
}

/** Environment variables and standard input. */
export function outsideOf({ variables, stdin }: Pick<FilesOrder, 'variables' | 'stdin'>): Outside {
  return {
    variables,
    stdin: (reader) => {
      if (stdin === undefined) return noStandardInput(reader);
      if (stdin.reader !== reader) return { kind: 'unreadable', reason: `${stdin.reader} has read it` };
      return stdin.read;
    },
  };
}
