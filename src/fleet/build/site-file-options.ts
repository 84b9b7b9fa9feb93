import { join } from 'node:path';

import type { ExternalSources } from '../../disk/external-files/read-reference.js';
import { noStandardInput } from '../../disk/external-files/standard-input.js';
import { cachedInputs, siteFolderInputs } from '../../disk/read-inputs.js';
import { packedFolder } from '../table/packed-files.js';
import { fleetFilesOf, type FleetPaths } from '../table/read-fleet.js';
import type { FleetFiles } from '../table/site-files.js';
import type { SiteOptions } from './site-options.js';

export type SiteFileOptions = FleetPaths & Pick<SiteOptions, 'dir' | 'variables' | 'stdin' | 'packed'>;

/** Input files of all sites; files of the base are read once. */
export function filesOf(order: SiteFileOptions): FleetFiles {
  const { dir, packed } = order;
  if (packed !== undefined) return fleetFilesOf(order, packedFolder(packed, externalInputs(order)));
  return fleetFilesOf(order, {
    inputsAt: (folder) => cachedInputs(join(dir, folder), {}, externalInputs(order), dir),
    overridesAt: (folder) => siteFolderInputs(join(dir, folder), dir),
  });
}

/** Environment variables and standard input. */
export function externalInputs({
  variables,
  stdin,
}: Pick<SiteFileOptions, 'variables' | 'stdin'>): ExternalSources {
  return {
    variables,
    stdin: (reader) => {
      if (stdin === undefined) return noStandardInput(reader);
      if (stdin.reader !== reader)
        return { kind: 'unreadable', reason: `${stdin.reader} has already read it` };
      return stdin.read;
    },
  };
}
