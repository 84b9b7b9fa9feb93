import { success, type Result } from '../../core/result.js';
import { inspectSiteFolder, recoverSite } from '../../disk/site-record/site-folder.js';
import { check, run, type RunReport, type RunOptions } from '../../run/run.js';
import { readOutput } from '../../run/sources/existing-output.js';
import type { GlobalOptions } from '../options.js';
import { progressLine } from '../progress.js';

/** The generated live config and the report of the run. */
export interface LiveConfig {
  readonly bytes: Buffer;
  readonly report: RunReport;
}

/** The target that contains the live config. */
export const liveTarget = 'single-node-ignition-config';

/** Path of the live config in the directory. */
export const ignitionFile = 'bootstrap-in-place-for-live-iso.ign';

/**
 * Checks the configs. First completes an interrupted run, because its partial outputs would be mistaken for edits. Problems:
 * those of the run.
 */
export async function checkConfig(request: RunOptions): ReturnType<typeof check> {
  const { dir, command } = request;
  const settled = inspectSiteFolder(dir).isUnsettled ? await recoverSite(dir, command) : success(undefined);
  return settled.ok ? check(request) : settled;
}

/** Generates the Ignition configs and returns the live config. Problems: those of the run. */
export async function generateLiveConfig(
  options: GlobalOptions,
  request: RunOptions,
): Promise<Result<LiveConfig>> {
  const progress = progressLine(options);
  const { onProgress } = progress;
  const made = await run({ ...request, onProgress });
  progress.done();
  if (!made.ok) return made;
  const held = made.value.plain?.get(ignitionFile);
  const bytes =
    held === undefined
      ? await readOutput(options.dir, ignitionFile, request.access)
      : success(Buffer.from(held));
  return bytes.ok ? success({ bytes: Buffer.from(bytes.value), report: made.value }, made.warnings) : bytes;
}
