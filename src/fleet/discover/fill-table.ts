import { join } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { uncachedInputs } from '../../disk/read-inputs.js';
import { requireInside } from '../../disk/record-file.js';
import { replaceFile } from '../../disk/replace-file.js';
import { fillCsv } from '../../formats/table/fill-csv.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { readSiteTable } from '../table/site-table.js';
import { csvCell } from '../../import/fleet/columns.js';
import type { BootInputs } from '../boot/boot-inputs.js';
import type { DiscoveredSite } from './discover-sites.js';

/**
 * Writes the proposals into the table and returns the number of filled cells. The table is read again first: the BMCs took a while,
 * and a cell that was filled meanwhile is kept. Problems: those of `readSiteTable`, dir/not-writable.
 */
export function fillTable({ fleet, dir }: BootInputs, sites: readonly DiscoveredSite[]): Result<number> {
  const { sites: file } = fleet.fleet;
  const path = join(dir, file);
  const inside = requireInside(path, dir);
  if (!inside.ok) return inside;
  const read = uncachedInputs(dir).read(file);
  const table = readSiteTable(file, read);
  if (!table.ok) return table;
  const text = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
  if (text === undefined || table.value.faults.length > 0)
    return failure(
      ...table.value.faults,
      problem('fleet/table', 'the site table changed during the run', { at: { file } }),
    );
  const fills = new Map(
    sites
      .filter(({ proposals }) => proposals.length > 0)
      .map(({ site, proposals }) => [
        site.name,
        new Map(proposals.map(({ column, value }) => [column, csvCell(JSON.stringify(value))] as const)),
      ]),
  );
  const filled = fillCsv(text, 'name', fills);
  if (filled.filled === 0) return success(0);
  const written = replaceFile(path, filled.text, { keepsMode: true, followsLink: true });
  return written.ok ? success(filled.filled) : written;
}
