import { join } from 'node:path';

import { stateWishes } from '../../disk/state/state-wishes.js';
import { inputsOf } from '../../disk/read-inputs.js';
import { standardInput } from '../../disk/outside/standard-input.js';
import { stateFileName } from '../../disk/state/state-file.js';
import type { NamedState } from '../../disk/state/state-in-place.js';
import type { GlobalOptions, RecipientOptions } from '../options.js';
import { accessOf, commandLine, stateFileOf } from '../request.js';

/** The state file of the command line, and the command as typed. */
export type Named = NamedState & { readonly command: string };

export function namedBy(options: GlobalOptions & RecipientOptions, stdin = standardInput()): Named {
  return {
    dir: options.dir,
    ...stateFileOf(options),
    access: accessOf(options, stdin),
    command: commandLine(),
  };
}

/** Recipients from the sno-config.yaml next to the state file. */
export function configuredIn({ dir, state }: GlobalOptions): readonly string[] {
  // A file given by --state has no config.
  return state === undefined ? stateWishes(inputsOf(dir, {})).recipients : [];
}

/** The path of the state file, for messages. */
export function shownPath({ dir, state }: GlobalOptions): string {
  return state ?? join(dir, stateFileName);
}
