import { join } from 'node:path';

import { success, type Result } from '../../core/result.js';
import { readInput } from '../../disk/read-inputs.js';
import { run, type RunReport, type RunRequest } from '../../run.js';
import type { GlobalOptions } from '../options.js';
import { progressLine } from '../progress.js';

/** What a live system is started with, and how it was made. */
export interface MadeConfig {
  readonly bytes: Buffer;
  readonly report: RunReport;
}

/** The target whose config a live system is started with. */
export const liveTarget = 'single-node-ignition-config';

const ignitionFile = 'bootstrap-in-place-for-live-iso.ign';

/** Makes the Ignition configs, and reads the live system's back. Problems: those of the run. */
export async function makeConfig(options: GlobalOptions, request: RunRequest): Promise<Result<MadeConfig>> {
  const progress = progressLine(options);
  const { onProgress } = progress;
  const made = await run({ ...request, onProgress });
  progress.done();
  if (!made.ok) return made;
  const read = readInput(join(options.dir, ignitionFile));
  if (read.kind !== 'file') throw new Error(`internal error: ${ignitionFile} was written and is not there`);
  return success({ bytes: Buffer.from(read.bytes), report: made.value }, made.warnings);
}
