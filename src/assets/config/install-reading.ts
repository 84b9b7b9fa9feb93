import { readInstallConfig } from '../../config/reading/install-config.js';
import { defineAsset } from '../../graph/asset.js';

/**
 * install-config.yaml read and checked, whether it is sound or not: other checks need what can be known of it.
 * Problems are in the value, so that this asset is always made.
 */
export const installReading = defineAsset({
  name: 'config/install-reading',
  needs: {},
  make: (_parents, { inputs }) => readInstallConfig(inputs),
});
