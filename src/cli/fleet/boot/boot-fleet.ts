import { isError, type Problem } from '../../../core/problem.js';
import { failure, problemsOf } from '../../../core/result.js';
import type { GlobalOptions } from '../../options.js';
import { onStopSignals } from '../../stop-signals.js';
import { report } from '../../output/report.js';
import { recordOfMachine, type BootedSite, type BootRecord } from '../../../fleet/boot/boot-record.js';
import type { BootRecordWriter } from '../../../fleet/boot/boot-record-writer.js';
import { changedHardwareProblems, otherBootProblems } from '../../../fleet/boot/machine-problems.js';
import { bootRecordIn, bootRecordKeeper, whileLocked } from './boot-record-file.js';
import type { BmcAddress } from '../../../remote/redfish/bmc-address.js';
import { bootInputs, type BootInputs } from './boot-inputs.js';
import { bootSettings, type BootOptions, type BootSettings } from './boot-options.js';
import { mediaProblems, mediumFaults } from './media-check.js';
import { printBoots } from './print-boots.js';
import { planVisits, visitAll } from './visit-all.js';

type Options = GlobalOptions & BootOptions;

/** Boots the sites of a fleet through their BMCs. Other modes only check, plan or eject. */
export async function bootFleet(options: Options): Promise<void> {
  const settings = bootSettings(options);
  const inputs = settings.ok ? await bootInputs(options, settings.value.mode) : settings;
  if (!settings.ok || !inputs.ok) {
    report(options, { problems: problemsOf(inputs) });
    return;
  }
  const { mode } = settings.value;
  if (mode === 'boot' || mode === 'eject') {
    const kept = await whileLocked(inputs.value, async () => {
      const record = bootRecordIn(inputs.value);
      if (!record.ok) return record;
      const problems =
        mode === 'boot' ? checkedBoots(options, settings.value, inputs.value, record.value) : [];
      if (problems.some(isError)) return failure(...problems);
      const keeper = bootRecordKeeper(inputs.value, record.value);
      await visit(options, settings.value, { inputs: inputs.value, keeper, problems });
      return record;
    });
    if (!kept.ok) report(options, { problems: kept.problems });
    return;
  }
  const record = bootRecordIn(inputs.value);
  if (!record.ok) {
    report(options, { problems: record.problems });
    return;
  }
  if (mode === 'check') {
    const keeper = bootRecordKeeper(inputs.value, record.value);
    await visit(options, settings.value, { inputs: inputs.value, keeper, problems: [] });
  } else {
    const { visits, skipped } = planVisits(inputs.value, (name) => record.value.get(name), {
      ...settings.value,
      ...options,
    });
    const planned = visits.map(({ site }) => ({
      site,
      state: 'planned' as const,
      words: 'to be booted',
    }));
    const others = checkedBoots(options, settings.value, inputs.value, record.value);
    printBoots(options, mode, { sites: [...skipped, ...planned], order: inputs.value.sites, others });
  }
}

/** Problems of the machines and media, before any BMC is contacted. Problems: boot/other-site, boot/changed-hardware, boot/outdated. */
function checkedBoots(
  options: Options,
  settings: BootSettings,
  inputs: BootInputs,
  record: BootRecord,
): readonly Problem[] {
  const { visits, skipped } = planVisits(inputs, (name) => record.get(name), {
    ...settings,
    ...options,
  });
  const toBoot = visits.map(({ site }) => site);
  const skippedSites = skipped.map(({ site }) => site);
  return [
    ...otherBootProblems(toBoot, record, inputs.hardwareOf),
    ...changedHardwareProblems(skippedSites, record, inputs.hardwareOf),
    ...mediaProblems(
      toBoot.filter(({ name, address }) => options.again === true || !isUnproven(record.get(name), address)),
      mediumFaults(options, { usableMs: 0 }),
    ),
  ];
}

/** Whether an earlier run may have started the machine. Its BMC shows it before its medium is judged. */
function isUnproven(known: BootedSite | undefined, address: BmcAddress): boolean {
  return recordOfMachine(known, address)?.reached === 'starting';
}

interface BootRun {
  readonly inputs: BootInputs;
  readonly keeper: BootRecordWriter;
  /** Warnings of the checks. */
  readonly problems: readonly Problem[];
}

async function visit(
  options: Options,
  settings: BootSettings,
  { inputs, keeper, problems: others }: BootRun,
): Promise<void> {
  const signals = onStopSignals();
  const faultOfMedium = mediumFaults(options, { usableMs: 0 });
  const sites = await visitAll(inputs, { settings, options, keeper, faultOfMedium, stop: signals.stop });
  signals.release();
  printBoots(options, settings.mode, { sites, order: inputs.sites, others });
  if (signals.stop.aborted) process.exitCode = signals.exitCode();
}
