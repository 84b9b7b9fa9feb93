import { failure, resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { installReading } from './install-reading.js';

/**
 * install-config.yaml, checked, with deprecated fields converted and defaults applied.
 * Problems: config/…, all that the file has.
 */
export const installConfig = defineAsset({
  name: 'config/install-config',
  needs: { reading: installReading },
  tryMake: ({ reading: { draft, problems } }) =>
    draft ? resultOf(draft.config, problems) : failure(...problems),
});
