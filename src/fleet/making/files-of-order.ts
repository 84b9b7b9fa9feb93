import { join } from 'node:path';

import type { Outside } from '../../disk/outside/read-reference.js';
import { noStandardInput } from '../../disk/outside/standard-input.js';
import { inputsOf, inputsOfSites } from '../../disk/read-inputs.js';
import type { FleetFiles } from '../site-files.js';
import type { SiteOrder } from './site-order.js';

/** Where the files of a fleet are. */
export type FilesOrder = Pick<SiteOrder, 'dir' | 'base' | 'overrides' | 'variables' | 'stdin'>;

/** The files that sites are made of; those that they share are read once. */
export function filesOf(order: FilesOrder): FleetFiles {
  const { dir, base, overrides } = order;
  return {
    base,
    overrides,
    baseInputs: inputsOf(join(dir, base), {}, outsideOf(order), dir),
    overrideInputs: inputsOfSites(join(dir, overrides), dir),
  };
}

/** What stands outside of the folder of a fleet. */
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
