import { problem } from '../../core/problem.js';
import { failure, success } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { installConfig } from './install-config.js';
import { installReading } from './install-reading.js';

/** What only an installation in place needs: the disk (rule 41). Problem: config/bootstrap-in-place. */
export const bootstrapInPlace = defineAsset({
  name: 'config/bootstrap-in-place',
  needs: { config: installConfig, reading: installReading },
  tryMake: ({ config, reading }) => {
    if (config.bootstrapInPlace) return success(config.bootstrapInPlace);
    const message = 'bootstrapInPlace is missing: the live system has to know which disk to install to';
    const hint = 'add "bootstrapInPlace:" and below it "  installationDisk: /dev/disk/by-id/…"';
    return failure(
      problem('config/bootstrap-in-place', message, {
        at: reading.draft?.placeOf(['bootstrapInPlace']),
        hint,
      }),
    );
  },
});
