import { join } from 'node:path';

import type { ExternalSources } from '../../disk/external-files/read-reference.js';
import { noStandardInput } from '../../disk/external-files/standard-input.js';
import { cachedInputs, siteFolderInputs } from '../../disk/read-inputs.js';
import { classesFolder } from '../fleet-paths.js';
import type { FleetFiles } from '../site-files.js';
import type { SiteOptions } from './site-options.js';

export type SiteFileOptions = Pick<
  SiteOptions,
  'dir' | 'base' | 'overrides' | 'classes' | 'variables' | 'stdin'
>;

/** Input files of all sites; files of the base are read once. */
export function filesOf(order: SiteFileOptions): FleetFiles {
  const { dir, base, overrides, classes } = order;
  return {
    base,
    overrides,
    classes,
    baseInputs: cachedInputs(join(dir, base), {}, externalInputs(order), dir),
    classInputs: cachedInputs(join(dir, classesFolder), {}, externalInputs(order), dir),
    overrideInputs: siteFolderInputs(join(dir, overrides), dir),
  };
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
