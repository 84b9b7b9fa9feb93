import {
  bootInputs,
  type BootInputs,
  type BootRecord,
  bootRecordIn,
  bootRecordKeeper,
  whileLocked,
  type BootSettings,
  checkBoots,
  mediumFaults,
  planVisits,
  visitAll,
} from '../../../fleet/boot/index.js';
import type { Surroundings } from '../../../run/effects/surroundings.js';
import { processSurroundings } from '../../surroundings.js';
import { isError, type Problem } from '../../../core/problem.js';
import { failure, problemsOf } from '../../../core/result.js';
import type { GlobalOptions } from '../../options.js';
import { report } from '../../output/report.js';
import { showSiteProgress, siteProgress } from '../../progress.js';
import { stateAccess } from '../../request.js';
import { onStopSignals } from '../../stop-signals.js';
import { shownProblems } from '../print-fleet-problems.js';
import { bootSettings, type BootOptions } from './boot-options.js';
import { printBoots } from './print-boots.js';

type Options = GlobalOptions & BootOptions;

/** Boots the sites of a fleet through their BMCs. Other modes only check, plan or eject. */
export async function bootFleet(options: Options): Promise<void> {
  const settings = bootSettings(options);
  const surroundings = processSurroundings();
  const access = {
    ...{ access: stateAccess(options), shown: shownProblems(options), surroundings },
    showProgress: showSiteProgress(options),
  };
  const inputs = settings.ok ? await bootInputs(options, settings.value.mode, access) : settings;
  if (!settings.ok || !inputs.ok) {
    report(options, { problems: problemsOf(inputs) });
    return;
  }
  const run = { inputs: inputs.value, settings: settings.value, surroundings };
  const { mode } = settings.value;
  const changes = mode === 'boot' || mode === 'eject';
  const outcome = changes
    ? await whileLocked(inputs.value, () => bootSites(options, run))
    : await bootSites(options, run);
  if (!outcome.ok) report(options, { problems: outcome.problems });
}

interface BootRun {
  readonly inputs: BootInputs;
  readonly settings: BootSettings;
  readonly surroundings: Surroundings;
}

/** Visits the BMCs, or prints the plan of a dry run. Problems: boot/record, those of `checkBoots`. */
async function bootSites(
  options: Options,
  { inputs, settings, surroundings }: BootRun,
): Promise<ReturnType<typeof bootRecordIn>> {
  const record = bootRecordIn(inputs);
  if (!record.ok) return record;
  const { mode } = settings;
  const isAgain = options.again === true;
  const plan = planVisits(inputs, (name) => record.value.get(name), { mode, isAgain });
  const faultOfMedium = mediumFaults({ ...options, surroundings }, { usableMs: 0 });
  const checked =
    mode === 'boot' || mode === 'dry-run'
      ? checkBoots(inputs, plan, { record: record.value, isAgain, faultOfMedium })
      : [];
  if (mode === 'dry-run') {
    const planned = plan.visits.map(({ site }) => ({
      site,
      state: 'planned' as const,
      words: 'to be booted',
    }));
    printBoots(options, mode, { sites: [...plan.skipped, ...planned], order: inputs.sites, others: checked });
    return record;
  }
  if (checked.some(isError)) return failure(...checked);
  await visit(
    options,
    { inputs, settings, surroundings },
    { record: record.value, plan, faultOfMedium, checked },
  );
  return record;
}

interface Visit {
  readonly record: BootRecord;
  readonly plan: ReturnType<typeof planVisits>;
  readonly faultOfMedium: (site: string) => string | undefined;
  /** Warnings of the checks. */
  readonly checked: readonly Problem[];
}

async function visit(
  options: Options,
  { inputs, settings, surroundings }: BootRun,
  { record, plan, faultOfMedium, checked }: Visit,
): Promise<void> {
  const signals = onStopSignals();
  const screen = siteProgress(options, plan.visits.length, process.stderr, progressWords[settings.mode]);
  const sites = await visitAll(plan, {
    settings,
    isAgain: options.again === true,
    keeper: bootRecordKeeper(inputs, record),
    faultOfMedium,
    stop: signals.stop,
    present: surroundings.present,
    onSite: screen.onSite,
  });
  screen.done();
  signals.release();
  printBoots(options, settings.mode, { sites, order: inputs.sites, others: checked });
  if (signals.stop.aborted) process.exitCode = signals.exitCode();
}

const progressWords = {
  boot: 'booting sites',
  eject: 'ejecting media',
  check: 'checking BMCs',
  'dry-run': 'planning',
} as const;
