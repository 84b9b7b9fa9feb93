import { dirname, join } from 'node:path';

import { fingerprintOf } from '../../disk/file-size.js';
import { readRecord } from '../../disk/record-file.js';
import { bootRecordName, readBootRecord, type BootRecord } from '../boot/boot-record.js';
import { summaryName } from '../build/fleet-summary.js';
import { readSummary } from '../build/read-summary.js';
import type { ExternalStatus } from '../../serve/page/site-status.js';
import type { SiteFolder } from '../../serve/site-folders.js';

/**
 * Returns a reader of the results of `fleet create` and `fleet boot` in the parent folders of the sites. Files are read again
 * after a change. Unreadable files are ignored, because those commands report them.
 */
export function fleetStatusReader(
  sites: () => readonly Pick<SiteFolder, 'dir'>[],
): () => ReadonlyMap<string, ExternalStatus> {
  let [mark, known]: [string | undefined, ReadonlyMap<string, ExternalStatus>] = [undefined, new Map()];
  return () => {
    const folders = [...new Set(sites().map(({ dir }) => dirname(dir)))];
    const present = folders
      .flatMap((folder) => [bootRecordName, summaryName].map((name) => fingerprintOf(join(folder, name))))
      .join('\n');
    if (present !== mark) [mark, known] = [present, new Map(folders.flatMap(findingsIn))];
    return known;
  };
}

function findingsIn(folder: string): readonly (readonly [name: string, finding: ExternalStatus])[] {
  const boots = bootsIn(folder);
  const ends = new Map(readSummary(folder)?.sites.map((site) => [site.name, site.bootableUntil]));
  return [...new Set([...boots.keys(), ...ends.keys()])].map((name) => {
    const [boot, bootableUntil] = [boots.get(name), ends.get(name)];
    return [
      name,
      {
        ...(boot && { boot: { state: boot.state, at: boot.updatedAt } }),
        ...(bootableUntil !== undefined && { bootableUntil }),
      },
    ] as const;
  });
}

function bootsIn(folder: string): BootRecord {
  const text = readRecord(join(folder, bootRecordName));
  const record = text.ok ? readBootRecord(text.value, bootRecordName) : text;
  return record.ok ? record.value : new Map();
}
