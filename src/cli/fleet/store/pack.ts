import { fleetWide } from '../../../fleet/problems/index.js';
import { packFleet, type PackInputs, type PackResult } from '../../../fleet/store/index.js';
import { problemsOf } from '../../../core/result.js';
import type { GlobalOptions } from '../../options.js';
import { showSiteProgress, siteProgress } from '../../progress.js';
import { onStopSignals } from '../../stop-signals.js';
import { checkedSites } from '../checked-sites.js';
import type { PackOptions } from '../fleet-options.js';
import { packInputs } from './pack-inputs.js';
import { printPacked } from './print-packed.js';

type Options = GlobalOptions & PackOptions;

/** Writes the packs of a fleet to its store, and prints the result. */
export async function packRequestedFleet(options: Options): Promise<void> {
  const signals = onStopSignals();
  try {
    const given = await packInputs(options, signals.stop);
    const packed = given.ok ? await packShown(options, given.value, signals.stop) : given;
    if (given.ok) for (const store of given.value.stores) store.close();
    const found = 'found' in packed ? packed.found : problemsOf(packed).map(fleetWide);
    const before = given.ok ? given.warnings.map(fleetWide) : [];
    const sites = given.ok ? given.value.opened.rows.length : 0;
    const result = { found: [...before, ...found], ...('done' in packed && { done: packed.done }) };
    printPacked(options, result, { signals, sites });
  } finally {
    signals.release();
  }
}

async function packShown(options: Options, given: PackInputs, stop: AbortSignal): Promise<PackResult> {
  const { dir, allowCommands } = options;
  const progress = siteProgress(options, given.shards, process.stderr, 'packing shards');
  try {
    return await packFleet({
      ...given,
      ...{ dir, stop, onPack: progress.onSite, showProgress: showSiteProgress(options) },
      ...(allowCommands && { allowCommands }),
      check: (sites) => checkedSites(options, sites, given.surroundings),
    });
  } finally {
    progress.done();
  }
}
