import { checkFleetSite, fleetSiteConfig } from '../../fleet/build/index.js';
import { success, type Result } from '../../core/result.js';
import { inspectSiteFolder, recoverSite } from '../../disk/site-record/site-folder.js';
import { isFleetSite } from '../../disk/site-record/site-record.js';
import { check, run, type RunReport, type RunOptions } from '../../run/run.js';
import { readOutput } from '../../run/sources/existing-output.js';
import type { GlobalOptions, RecipientOptions } from '../options.js';
import { liveConfigName } from '../../serve/site-folders.js';
import { progressLine } from '../progress.js';

/** The generated live config and the report of the run. */
export interface LiveConfig {
  readonly bytes: Buffer;
  readonly report: RunReport;
}

/** The target that contains the live config. */
export const liveTarget = 'single-node-ignition-config';

/**
 * Checks the configs. First completes an interrupted run, because its partial outputs would be mistaken for edits. Problems:
 * those of the run.
 */
export async function checkConfig(
  options: GlobalOptions & RecipientOptions,
  request: RunOptions,
): ReturnType<typeof check> {
  const { dir, command } = request;
  const settled = inspectSiteFolder(dir).isUnsettled ? await recoverSite(dir, command) : success(undefined);
  if (!settled.ok) return settled;
  return isFleetSite(dir) ? checkFleetSite(options, request) : check(request);
}

/**
 * Generates the Ignition configs and returns the live config. In the folder of a fleet's site, returns the existing one. Problems: those
 * of the run.
 */
export async function generateLiveConfig(
  options: GlobalOptions,
  request: RunOptions,
): Promise<Result<LiveConfig>> {
  if (isFleetSite(options.dir)) return fleetSiteConfig(options.dir, liveConfigName, request);
  const progress = progressLine(options);
  const { onProgress } = progress;
  const made = await run({ ...request, onProgress });
  progress.done();
  if (!made.ok) return made;
  const held = made.value.plain?.get(liveConfigName);
  const bytes =
    held === undefined
      ? await readOutput(options.dir, liveConfigName, request.access)
      : success(Buffer.from(held));
  return bytes.ok ? success({ bytes: Buffer.from(bytes.value), report: made.value }, made.warnings) : bytes;
}
