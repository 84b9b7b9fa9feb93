import { problem, type Problem } from '../../core/problem.js';
import { readInventory, type MachineInventory } from '../../remote/redfish/inventory/read-inventory.js';
import { visitBmc, type BmcVisit, type BootSession } from '../boot/visit-bmc.js';
import { withFleetVariables, type LoadedFleet } from '../table/check-fleet.js';
import { filesOf } from '../table/check-site-files.js';
import { classesFolder } from '../table/fleet-paths.js';
import { siteClasses } from '../table/site-classes.js';
import type { SiteRow } from '../table/site-row.js';
import { columnUses, type ColumnUse, type TemplateFolder } from './column-uses.js';
import { compareInventory, type InventoryComparison } from './compare-inventory.js';
import { diskFilter } from './disk-choice.js';

/** Reads the inventory of a site; changes nothing on its machine. */
export function inspectSite(session: BootSession): Promise<BmcVisit<MachineInventory>> {
  return visitBmc(session, [], (client) => readInventory(client, session.site.address.system));
}

/**
 * Compares machines with the table of a fleet; see `compareInventory`. A table of ClusterInstances has no columns to compare. Warnings:
 * discover/unread.
 */
export function inventoryComparer(
  opened: LoadedFleet,
): (row: SiteRow, machine: MachineInventory) => InventoryComparison {
  const { fleet, table, files } = opened;
  const usesByClasses = new Map<string, readonly ColumnUse[]>();
  const usesOf = (row: SiteRow): readonly ColumnUse[] => {
    if (table.hasLayers === true) return [];
    const { names } = siteClasses(files, withFleetVariables(row, fleet).variables);
    const key = JSON.stringify(names);
    const uses = usesByClasses.get(key) ?? columnUses(foldersOf(opened, names));
    usesByClasses.set(key, uses);
    return uses;
  };
  return (row, machine) => {
    const uses = usesOf(row);
    const [sno] = uses.length === 0 ? [] : filesOf(opened, row).documentsOf('sno-config.yaml');
    const context = { table: fleet.sites, fleetWide: fleet.variables, filter: diskFilter(sno) };
    const { proposals, problems } = compareInventory(row, uses, machine, context);
    return { proposals, problems: [...unreadParts(row, machine), ...problems] };
  };
}

function foldersOf({ files }: LoadedFleet, classes: readonly string[]): readonly TemplateFolder[] {
  return [
    { shown: files.base, read: (file) => files.baseInputs.read(file) },
    ...classes.map((name) => ({
      shown: `${classesFolder}/${name}`,
      read: (file: string) => files.classInputs.read(`${name}/${file}`),
    })),
  ];
}

function unreadParts({ name, at }: SiteRow, { unread }: MachineInventory): readonly Problem[] {
  return unread.map(({ part, reason }) => {
    const message = `the BMC of ${name} did not return all of its ${part}: ${reason}`;
    return problem('discover/unread', message, { at });
  });
}
