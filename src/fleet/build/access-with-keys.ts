import { success, type Result } from '../../core/result.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import type { AgeKeys } from '../../formats/age.js';

/** State access with keys that were read before. Never prompts for a passphrase, so it is safe for many sites and in worker threads. */
export function stateAccessWithKeys(keys: AgeKeys): StateAccess {
  return {
    keys: () => Promise.resolve(success(keys)),
    seal: () => Promise.resolve(success(undefined)),
    passphrase: (): Promise<Result<string | undefined>> => Promise.resolve(success(keys.passphrases[0])),
  };
}
