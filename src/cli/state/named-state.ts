import { join } from 'node:path';

import { stateWishes } from '../../disk/state/state-wishes.js';
import { inputsOf } from '../../disk/read-inputs.js';
import { standardInput } from '../../disk/outside/standard-input.js';
import { stateFileName } from '../../disk/state/state-file.js';
import type { NamedState } from '../../disk/state/state-in-place.js';
import type { GlobalOptions, RecipientOptions } from '../options.js';
import { accessOf, commandLine, stateFileOf } from '../request.js';

/** A state file of the command line, with the command as the user typed it. */
export type Named = NamedState & { readonly command: string };

/** The state file that the command line names. */
export function namedBy(options: GlobalOptions & RecipientOptions, stdin = standardInput()): Named {
  return {
    dir: options.dir,
    ...stateFileOf(options),
    access: accessOf(options, stdin),
    command: commandLine(),
  };
}

/** To whom the config beside the state file wants it encrypted. */
export function configuredIn({ dir, state }: GlobalOptions): readonly string[] {
  // A file that is named by itself has no config beside it.
  return state === undefined ? stateWishes(inputsOf(dir, {})).recipients : [];
}

/** What is said of the file that was changed. */
export function shownPath({ dir, state }: GlobalOptions): string {
  return state ?? join(dir, stateFileName);
}
