import { posix } from 'node:path';

import { shownArgument } from '../../core/quoted.js';
import { fleetFileName } from '../../fleet/read-fleet.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import type { Inputs } from '../../graph/context.js';
import type { FleetFile } from '../../imports/fleet/fleet-of-sites.js';
import type { InTheWay } from './write-folder.js';

/**
 * What an earlier fleet has in a folder that must not go or stay without a word: settings that somebody wrote, and files that would be
 * merged into sites though the source has none.
 */
export function fleetInTheWay(
  there: Pick<Inputs, 'read' | 'list'>,
  files: readonly FleetFile[],
): InTheWay | undefined {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const read = there.read(fleetFileName);
  const settings = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
  if (read.kind !== 'absent' && settings !== texts.get(fleetFileName)) {
    const hint = 'move it away, and write what it sets into the one that is made';
    return { words: `has a ${fleetFileName} that says something else, which is not replaced`, hint };
  }
  const left = ['base', 'overrides'].flatMap((folder) => pathsBelow(there, folder));
  const stranger = left.find((path) => !texts.has(path));
  if (stranger === undefined) return undefined;
  const hint = 'remove base/ and overrides/ first, or name another folder with --dir';
  return {
    words: `has ${shownArgument(stranger)}, which is not of this import and would be merged into it`,
    hint,
  };
}

function pathsBelow(there: Pick<Inputs, 'list'>, folder: string): readonly string[] {
  return (there.list(folder) ?? []).flatMap((entry) => {
    const path = posix.join(folder, entry);
    return entry.endsWith('/') ? pathsBelow(there, path) : [path];
  });
}
