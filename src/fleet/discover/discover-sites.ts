import { isError, problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { type MachineInventory, readInventory } from '../../remote/redfish/inventory/read-inventory.js';
import type { BootInputs } from '../boot/boot-inputs.js';
import type { BootSettings } from '../boot/boot-settings.js';
import type { BootSite } from '../boot/boot-targets.js';
import { runInParallel } from '../boot/run-in-parallel.js';
import { sitePacing } from '../boot/visit-all.js';
import { type BmcVisit, visitBmc, type BootSession } from '../boot/visit-bmc.js';
import { type Proposal, compareInventory, type InventoryComparison } from './compare-inventory.js';
import { withFleetVariables, type LoadedFleet } from '../table/check-fleet.js';
import { filesOf } from '../table/check-site-files.js';
import { classesFolder } from '../table/fleet-paths.js';
import { siteClasses } from '../table/site-classes.js';
import type { SiteRow } from '../table/site-row.js';
import { columnUses, type ColumnUse, type TemplateFolder } from './column-uses.js';
import { diskFilter } from './disk-choice.js';

/** The result of a site. */
export interface DiscoveredSite {
  readonly site: BootSite;
  /** `different`: read, but its table row belongs to another machine. */
  readonly state: 'read' | 'different' | 'failed' | 'stopped' | 'not-started';
  /** Why there is no machine. */
  readonly words?: string;
  readonly machine?: MachineInventory;
  readonly proposals: readonly Proposal[];
  readonly problems: readonly Problem[];
}

interface Discovery {
  readonly settings: BootSettings;
  readonly stop: AbortSignal;
  readonly present: () => Date;
  /** Called with the number of visited sites. */
  readonly onSite: (done: number) => void;
}

/** Reads the machines of the sites through their BMCs, and compares them with the table. */
export async function discoverSites(
  inputs: BootInputs,
  discovery: Discovery,
): Promise<readonly DiscoveredSite[]> {
  return discoveredSites(inputs, await visitSites(inputs, discovery));
}

/** Problems: usage/unknown-argument. */
export function writableTable({ fleet: { fleet, table } }: BootInputs): Result<undefined> {
  if (table.hasLayers !== true && !/\.(?:ya?ml|json)$/i.test(fleet.sites)) return success(undefined);
  const hint = 'run it without --write, and copy the values';
  return failure(problem('usage/unknown-argument', '--write needs a table in CSV', { hint }));
}

type Visits = ReadonlyMap<BootSite, BmcVisit<MachineInventory>>;

async function visitSites(
  { sites, users }: BootInputs,
  { settings, stop, present, onSite }: Discovery,
): Promise<Visits> {
  let count = 0;
  const { done } = await runInParallel(sites, settings.jobs, {
    work: async (site) => {
      const user = users?.(site.name);
      if (user === undefined) throw new Error(`internal error: no user for ${site.name}`);
      const { pacing, release } = sitePacing(settings, stop, present);
      try {
        return await inspectSite({ site, user, pacing });
      } finally {
        release();
        count += 1;
        onSite(count);
      }
    },
    signal: stop,
  });
  return new Map(done.map(({ item, result }) => [item, result]));
}

function discoveredSites({ fleet, sites }: BootInputs, visits: Visits): readonly DiscoveredSite[] {
  const compare = inventoryComparer(fleet);
  const rows = new Map(fleet.rows.map((row) => [row.name, row]));
  return sites.map((site): DiscoveredSite => {
    const visit = visits.get(site);
    const row = rows.get(site.name);
    const common = { site, proposals: [], problems: [] as readonly Problem[] };
    if (visit === undefined || row === undefined)
      return { ...common, state: 'not-started', words: 'not started' };
    if (visit.state !== 'done') return { ...common, ...visit };
    const { proposals, problems } = compare(row, visit.value);
    const state = problems.some(isError) ? 'different' : 'read';
    return { site, state, machine: visit.value, proposals, problems };
  });
}

/** Reads the inventory of a site; changes nothing on its machine. */
function inspectSite(session: BootSession): Promise<BmcVisit<MachineInventory>> {
  return visitBmc(session, [], (client) => readInventory(client, session.site.address.system));
}

/**
 * Compares machines with the table of a fleet; see `compareInventory`. A table of ClusterInstances has no columns to compare. Warnings:
 * discover/unread.
 */
function inventoryComparer(
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
    const { known } = withFleetVariables(row, fleet).variables;
    const context = { table: fleet.sites, fleetWide: known, filter: diskFilter(sno) };
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
