import { join } from 'node:path';

import { stateSettings } from '../../disk/state/state-settings.js';
import { cachedInputs } from '../../disk/read-inputs.js';
import { standardInput } from '../../disk/external-files/standard-input.js';
import { stateFileName } from '../../disk/state/state-file.js';
import type { StateLocation } from '../../disk/state/change-state.js';
import type { GlobalOptions, RecipientOptions } from '../options.js';
import { stateAccess, stateFileOf } from '../request.js';
import { commandLine } from '../../run/effects/command-line.js';

/** The state file of the command line, and the command as typed. */
export type RequestedState = StateLocation & { readonly command: string };

export function requestedState(
  options: GlobalOptions & RecipientOptions,
  stdin = standardInput(),
): RequestedState {
  return {
    dir: options.dir,
    ...stateFileOf(options),
    access: stateAccess(options, stdin),
    command: commandLine(),
  };
}

/** Recipients from the sno-config.yaml next to the state file. */
export function configuredRecipients({ dir, state }: GlobalOptions): readonly string[] {
  // A file given by --state has no config.
  return state === undefined ? stateSettings(cachedInputs(dir, {})).recipients : [];
}

/** The path of the state file, for messages. */
export function shownPath({ dir, state }: GlobalOptions): string {
  return state ?? join(dir, stateFileName);
}
