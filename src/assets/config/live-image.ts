import { defineAsset } from '../../graph/asset.js';
import { installConfig } from './install-config.js';
import { release } from './release.js';

/** Architecture and release (such as `4.18`) of the live image that the configs need. */
export const liveImage = defineAsset({
  name: 'config/live-image',
  needs: { config: installConfig, payload: release },
  make: ({ config, payload: { version, isOkd } }) => ({
    architecture: config.controlPlane.architecture,
    ...(version && { release: version.text }),
    isOkd,
  }),
});
