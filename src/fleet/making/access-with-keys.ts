import { success, type Result } from '../../core/result.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import type { AgeKeys } from '../../formats/age.js';

/** An access by keys that are there already: of many sites, and in a thread, nobody is asked for more. */
export function accessWith(keys: AgeKeys): StateAccess {
  return {
    keys: () => Promise.resolve(success(keys)),
    seal: () => Promise.resolve(success(undefined)),
    passphrase: (): Promise<Result<string | undefined>> => Promise.resolve(success(keys.passphrases[0])),
  };
}
