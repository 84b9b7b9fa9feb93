import { scalarText, tracedAt, type Traced } from '../../formats/yaml/traced.js';
import { filesOf } from '../table/check-site-files.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { macAddressesOf } from '../table/unique-values.js';
import type { SiteHardware } from './boot-record.js';

/** Returns a lookup of the hardware in the configuration of a site; of none for a name outside of the table. */
export function hardwareLookup(fleet: LoadedFleet): (site: string) => SiteHardware {
  const rows = new Map(fleet.table.rows.map((row) => [row.name, row]));
  return (site) => {
    const row = rows.get(site);
    if (row === undefined) return { macs: [] };
    const { documentsOf } = filesOf(fleet, row);
    const [[install], [sno]] = [documentsOf('install-config.yaml'), documentsOf('sno-config.yaml')];
    const disk = scalarText(install && tracedAt(install, ['bootstrapInPlace', 'installationDisk']));
    const hints = hintsText(sno && tracedAt(sno, ['rootDeviceHints']));
    const chosen = disk === undefined || disk === '' ? hints : disk;
    return {
      macs: macAddressesOf(sno).map(({ text }) => text),
      ...(chosen !== undefined && { disk: chosen }),
    };
  };
}

/** One text for hints in any order: `model: X, serialNumber: Y`. */
function hintsText(hints: Traced | undefined): string | undefined {
  if (hints?.kind !== 'map' || hints.entries.length === 0) return undefined;
  return hints.entries
    .map(({ key, value }) => `${key}: ${scalarText(value) ?? ''}`)
    .sort()
    .join(', ');
}
