import { readInstallConfig } from '../../config/reading/install-config.js';
import { installerVariable } from '../../config/reading/installer-arguments.js';
import { defineAsset } from '../../graph/asset.js';

/**
 * install-config.yaml parsed and validated, even with errors: other checks use the valid parts.
 * The problems are part of the value, so this asset never fails.
 */
export const installReading = defineAsset({
  name: 'config/install-reading',
  needs: {},
  make: (_parents, { inputs }) => readInstallConfig(inputs),
});

/** The installation disk in the environment variable of the original design; undefined if it names none. snoConfig reports its faults. */
export const installerDisk = defineAsset({
  name: 'config/installer-disk',
  needs: {},
  make: (_parents, { environment: { coreosInstallerArguments = '' } }): string | undefined =>
    installerVariable(coreosInstallerArguments).disk,
});
