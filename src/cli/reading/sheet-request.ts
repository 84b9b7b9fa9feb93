import type { SheetRequest } from '../../run/sources/site-sheet.js';
import { urlOrPath } from '../../run/effects/command-line.js';
import type { AioOptions, GlobalOptions } from '../options.js';
import { stateAccess } from '../request.js';
import { processSurroundings } from '../surroundings.js';

/** Reads the sheets of a command with the environment and the keys of its options. */
export function sheetRequest(
  options: GlobalOptions & AioOptions,
  { target, now }: Pick<SheetRequest, 'target' | 'now'>,
): SheetRequest {
  const { offlineFiles } = options;
  return {
    ...{ target, now },
    access: stateAccess(options),
    outside: processSurroundings(),
    ...(offlineFiles !== undefined && { offlineFiles: urlOrPath(offlineFiles) }),
  };
}
