import { isError, problem, type Problem } from '../../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../../core/result.js';
import type { BootSite } from '../../../fleet/boot/boot-targets.js';
import { runInParallel } from '../../../fleet/boot/run-in-parallel.js';
import type { BmcVisit } from '../../../fleet/boot/visit-bmc.js';
import { inspectSite, inventoryComparer } from '../../../fleet/discover/inspect-site.js';
import type { MachineInventory } from '../../../remote/redfish/inventory/read-inventory.js';
import type { GlobalOptions } from '../../options.js';
import { report } from '../../output/report.js';
import { siteProgress } from '../../progress.js';
import { onStopSignals } from '../../stop-signals.js';
import { bootInputs, type BootInputs } from '../boot/boot-inputs.js';
import { bootSettings, type BootOptions, type BootSettings } from '../boot/boot-options.js';
import { sitePacing } from '../boot/visit-all.js';
import type { FleetOptions } from '../fleet-options.js';
import { printInventory, type DiscoveredSite } from './print-inventory.js';
import { fillTable } from './fill-table.js';

export interface DiscoverOptions
  extends FleetOptions, Pick<BootOptions, 'credentialsCommand' | 'jobs' | 'timeout' | 'siteTimeout'> {
  readonly write?: true;
}

type Options = GlobalOptions & DiscoverOptions;

/** Reads the machines of the sites, compares them with the table, and with --write fills its empty cells. */
export async function discoverFleet(options: Options): Promise<void> {
  const settings = bootSettings(options);
  const inputs = settings.ok ? await bootInputs(options, 'check') : settings;
  const writable = inputs.ok && options.write === true ? csvTable(inputs.value) : success(undefined);
  if (!settings.ok || !inputs.ok || !writable.ok) {
    report(options, { problems: [inputs, writable].flatMap(problemsOf) });
    return;
  }
  const signals = onStopSignals();
  const visits = await visitSites(options, settings.value, inputs.value, signals.stop);
  signals.release();
  const sites = discoveredSites(inputs.value, visits);
  const filled =
    options.write === true && !signals.stop.aborted ? fillTable(inputs.value, sites) : success(0);
  printInventory(options, {
    table: inputs.value.fleet.fleet.sites,
    sites,
    problems: problemsOf(filled),
    ...(options.write === true && filled.ok && { filled: filled.value }),
  });
  if (signals.stop.aborted) process.exitCode = signals.exitCode();
}

/** Problems: usage/unknown-argument. */
function csvTable({ fleet: { fleet, table } }: BootInputs): Result<undefined> {
  if (table.hasLayers !== true && !/\.(?:ya?ml|json)$/i.test(fleet.sites)) return success(undefined);
  const hint = 'run it without --write, and copy the values';
  return failure(problem('usage/unknown-argument', '--write needs a table in CSV', { hint }));
}

type Visits = ReadonlyMap<BootSite, BmcVisit<MachineInventory>>;

async function visitSites(
  options: Options,
  settings: BootSettings,
  { sites, users }: BootInputs,
  stop: AbortSignal,
): Promise<Visits> {
  const screen = siteProgress(options, sites.length, process.stderr, 'reading BMCs');
  let count = 0;
  const { done } = await runInParallel(sites, settings.jobs, {
    work: async (site) => {
      const user = users?.(site.name);
      if (user === undefined) throw new Error(`internal error: no user for ${site.name}`);
      const { pacing, release } = sitePacing(settings, stop);
      try {
        return await inspectSite({ site, user, pacing });
      } finally {
        release();
        count += 1;
        screen.onSite(count);
      }
    },
    signal: stop,
  });
  screen.done();
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
