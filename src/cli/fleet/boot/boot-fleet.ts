import { problemsOf } from '../../../core/result.js';
import type { GlobalOptions } from '../../options.js';
import { onStopSignals } from '../../stop-signals.js';
import { report } from '../../output/report.js';
import type { BootRecordWriter } from '../../../fleet/boot/boot-record-writer.js';
import { bootRecordIn, bootRecordKeeper, whileLocked } from './boot-record-file.js';
import { bootInputs, type BootInputs } from './boot-inputs.js';
import { bootSettings, type BootOptions, type BootSettings } from './boot-options.js';
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
      if (record.ok)
        await visit(options, settings.value, inputs.value, bootRecordKeeper(inputs.value, record.value));
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
  if (mode === 'check')
    await visit(options, settings.value, inputs.value, bootRecordKeeper(inputs.value, record.value));
  else {
    const { visits, told } = planVisits(inputs.value, (name) => record.value.get(name), {
      ...settings.value,
      ...options,
    });
    const planned = visits.map(({ site }) => ({
      site,
      state: 'planned' as const,
      words: 'to be booted',
    }));
    printBoots(options, mode, { sites: [...told, ...planned], order: inputs.value.sites });
  }
}

async function visit(
  options: Options,
  settings: BootSettings,
  inputs: BootInputs,
  keeper: BootRecordWriter,
): Promise<void> {
  const signals = onStopSignals();
  const sites = await visitAll(inputs, { settings, options, keeper, stop: signals.stop });
  signals.release();
  printBoots(options, settings.mode, { sites, order: inputs.sites });
  if (signals.stop.aborted) process.exitCode = signals.exitCode();
}
