import { join } from 'node:path';

import { problemsOf, success, type Result } from '../../../core/result.js';
import type { GlobalOptions } from '../../options.js';
import { commandLine } from '../../request.js';
import { onStopSignals } from '../../stop-signals.js';
import { report } from '../../output/report.js';
import { takeLock } from '../../../disk/lock/lock.js';
import { createRecordFolder, readRecord } from '../../../disk/record-file.js';
import { replaceFile } from '../../../disk/replace-file.js';
import { bootRecordName, readBootRecord, type BootRecord } from '../../../fleet/boot/boot-record.js';
import { bootRecordWriter, type BootRecordWriter } from '../../../fleet/boot/boot-record-writer.js';
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
    const kept = await whileLocked(inputs.value, (keeper) =>
      visit(options, settings.value, inputs.value, keeper),
    );
    if (!kept.ok) report(options, { problems: kept.problems });
    return;
  }
  const record = recordIn(inputs.value);
  if (!record.ok) {
    report(options, { problems: record.problems });
    return;
  }
  if (mode === 'check')
    await visit(options, settings.value, inputs.value, keeperOf(inputs.value, record.value));
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
    printBoots(options, mode, { sites: [...told, ...planned], order: inputs.value.sites, problems: [] });
  }
}

async function visit(
  options: Options,
  settings: BootSettings,
  inputs: BootInputs,
  keeper: BootRecordWriter,
): Promise<void> {
  const signals = onStopSignals();
  const all = await visitAll(inputs, { settings, options, keeper, stop: signals.stop });
  signals.release();
  printBoots(options, settings.mode, { ...all, order: inputs.sites });
  if (signals.stop.aborted) process.exitCode = signals.exitCode();
}

/**
 * Holds the lock of the output folder, because only one run may boot its sites. Problems: dir/locked, dir/not-writable,
 * boot/record.
 */
async function whileLocked(
  inputs: BootInputs,
  work: (keeper: BootRecordWriter) => Promise<void>,
): Promise<Result<void>> {
  const folder = createRecordFolder(inputs.outputs, inputs.dir);
  if (!folder.ok) return folder;
  const lock = await takeLock(inputs.outputs, commandLine());
  if (!lock.ok) return lock;
  try {
    const record = recordIn(inputs);
    if (!record.ok) return record;
    await work(keeperOf(inputs, record.value));
    return success(undefined);
  } finally {
    lock.value.release();
  }
}

function recordIn({ outputs }: BootInputs): Result<BootRecord> {
  const path = join(outputs, bootRecordName);
  const text = readRecord(path);
  return text.ok ? readBootRecord(text.value, path) : text;
}

function keeperOf({ outputs }: BootInputs, record: BootRecord): BootRecordWriter {
  return bootRecordWriter(record, (text) => replaceFile(join(outputs, bootRecordName), text));
}
