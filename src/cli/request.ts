import { resolve } from 'node:path';

import { buildId, templatesFolder } from '../disk/package.js';
import { standardInput } from '../disk/state/named-bytes.js';
import { accessBy, type StateAccess } from '../disk/state/state-access.js';
import type { Renewal } from '../effects/clock.js';
import type { Progress } from '../graph/engine.js';
import type { RunRequest } from '../run.js';
import type { TargetName } from '../targets.js';
import type { AioOptions, GlobalOptions, RecipientOptions } from './options.js';
import { shownArgument } from '../core/quoted.js';

/** What a command adds to its options. */
export interface RequestDetails {
  readonly onProgress?: Progress;
  readonly renewal?: Renewal;
  /** For several runs of one command. */
  readonly access?: StateAccess;
}

/** The run a command asks for, with the clock, the environment and the command line of this process. */
export function requestOf(
  target: TargetName,
  options: GlobalOptions & AioOptions & RecipientOptions,
  { onProgress, renewal, access = accessOf(options) }: RequestDetails = {},
): RunRequest {
  const program = buildId();
  return {
    dir: options.dir,
    target,
    ...(options.state !== undefined && { stateFile: options.state }),
    command: commandLine(),
    variables: process.env,
    ...(options.offlineFiles !== undefined && { offlineFiles: urlOrPath(options.offlineFiles) }),
    present: new Date(),
    ...(renewal && { renewal }),
    templatesFolder: templatesFolder(),
    ...(onProgress && { onProgress }),
    ...(options.logLevel === 'debug' && { onStep: logStep }),
    ...(program !== undefined && { program }),
    access,
  };
}

/** The command as the user typed it, without what may be a secret. */
export function commandLine(): string {
  return `sno-install ${process.argv.slice(2).map(shownArgument).join(' ')}`;
}

/** What the command line says of encrypted states. */
export function accessOf(options: GlobalOptions & RecipientOptions, stdin = standardInput()): StateAccess {
  const { identity = [], passphraseFile, recipient = [], recipientsFile = [] } = options;
  const names = {
    identityFiles: identity,
    ...(passphraseFile !== undefined && { passphraseFile }),
    recipients: recipient,
    recipientsFiles: recipientsFile,
  };
  return accessBy(names, stdin);
}

/** A folder as a command run from elsewhere would name it. */
function urlOrPath(place: string): string {
  return place.includes('://') ? place : resolve(place);
}

/** Milliseconds count from the start of the process. */
function logStep(step: string): void {
  process.stderr.write(`debug: ${performance.now().toFixed(0).padStart(5)} ms: ${step}\n`);
}
