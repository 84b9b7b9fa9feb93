import { resolve } from 'node:path';

import { buildId, templatesFolder } from '../disk/package.js';
import type { Renewal } from '../effects/clock.js';
import type { Progress } from '../graph/engine.js';
import type { RunRequest } from '../run.js';
import type { TargetName } from '../targets.js';
import type { AioOptions, GlobalOptions } from './options.js';
import { shownArgument } from '../core/quoted.js';

/** The run a command asks for, with the clock, the environment and the command line of this process. */
export function requestOf(
  target: TargetName,
  options: GlobalOptions & AioOptions,
  { onProgress, renewal }: { readonly onProgress?: Progress; readonly renewal?: Renewal } = {},
): RunRequest {
  const program = buildId();
  return {
    dir: options.dir,
    target,
    ...(options.state !== undefined && { stateFile: options.state }),
    command: `sno-install ${process.argv.slice(2).map(shownArgument).join(' ')}`,
    variables: process.env,
    ...(options.offlineFiles !== undefined && { offlineFiles: urlOrPath(options.offlineFiles) }),
    present: new Date(),
    ...(renewal && { renewal }),
    templatesFolder: templatesFolder(),
    ...(onProgress && { onProgress }),
    ...(options.logLevel === 'debug' && { onStep: logStep }),
    ...(program !== undefined && { program }),
  };
}

/** A folder as a command run from elsewhere would name it. */
function urlOrPath(place: string): string {
  return place.includes('://') ? place : resolve(place);
}

/** Milliseconds count from the start of the process. */
function logStep(step: string): void {
  process.stderr.write(`debug: ${performance.now().toFixed(0).padStart(5)} ms: ${step}\n`);
}
