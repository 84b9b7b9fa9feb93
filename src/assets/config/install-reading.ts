import { readInstallConfig } from '../../config/reading/install-config.js';
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
