import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

/** A minimal site with ECDSA keys, which are fast to generate. */
export const configs = {
  'install-config.yaml': minimalInstallConfig,
  'sno-config.yaml': snoConfigText('certificates: { keyAlgorithm: ECDSA-P256 }\n'),
};

/** Creates a directory of that site, with the same keys each time. `others` adds or replaces files. */
export type LaySite = (others?: Readonly<Record<string, string | Uint8Array>>) => string;

export async function keyedSite(): Promise<LaySite> {
  const state = await throwawayState(configs);
  return (others = {}) => {
    const folder = scratchFolder();
    const files = { ...configs, '.sno-install-state.json': state, ...others };
    for (const [name, contents] of Object.entries(files))
      writeFileSync(join(folder, name), contents, { mode: 0o600 });
    return folder;
  };
}
