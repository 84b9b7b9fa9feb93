import { discoverSites, writableTable, fillTable } from '../../../fleet/discover/index.js';
import { bootInputs } from '../../../fleet/boot/index.js';
import { processSurroundings } from '../../surroundings.js';
import { problemsOf, success } from '../../../core/result.js';
import type { GlobalOptions } from '../../options.js';
import { report } from '../../output/report.js';
import { showSiteProgress, siteProgress } from '../../progress.js';
import { stateAccess } from '../../request.js';
import { onStopSignals } from '../../stop-signals.js';
import { bootSettings, type BootOptions } from '../boot/boot-options.js';
import type { FleetOptions } from '../fleet-options.js';
import { shownProblems } from '../print-fleet-problems.js';
import { printInventory } from './print-inventory.js';

export interface DiscoverOptions
  extends FleetOptions, Pick<BootOptions, 'credentialsCommand' | 'jobs' | 'timeout' | 'siteTimeout'> {
  readonly write?: true;
}

type Options = GlobalOptions & DiscoverOptions;

/** Reads the machines of the sites, compares them with the table, and with --write fills its empty cells. */
export async function discoverFleet(options: Options): Promise<void> {
  const settings = bootSettings(options);
  const surroundings = processSurroundings();
  const access = {
    ...{ access: stateAccess(options), shown: shownProblems(options), surroundings },
    showProgress: showSiteProgress(options),
  };
  const inputs = settings.ok ? await bootInputs(options, 'check', access) : settings;
  const writable = inputs.ok && options.write === true ? writableTable(inputs.value) : success(undefined);
  if (!settings.ok || !inputs.ok || !writable.ok) {
    report(options, { problems: [inputs, writable].flatMap(problemsOf) });
    return;
  }
  const signals = onStopSignals();
  const screen = siteProgress(options, inputs.value.sites.length, process.stderr, 'reading BMCs');
  const sites = await discoverSites(inputs.value, {
    ...{ settings: settings.value, stop: signals.stop },
    ...{ present: surroundings.present, onSite: screen.onSite },
  });
  screen.done();
  signals.release();
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
