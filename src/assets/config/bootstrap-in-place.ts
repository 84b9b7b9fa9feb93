import { failure, success } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { installReading } from './install-reading.js';

/**
 * What only an installation in place needs: the disk (rule 41). It is asked for whether the rest of the config is sound or
 * not, so that a run reports all there is; with a config that is not, nothing is to be built on it.
 * Problem: config/bootstrap-in-place.
 */
export const bootstrapInPlace = defineAsset({
  name: 'config/bootstrap-in-place',
  needs: { reading: installReading },
  tryMake: ({ reading: { draft } }) => {
    if (draft?.config.bootstrapInPlace) return success(draft.config.bootstrapInPlace);
    const found = draft?.judge([
      {
        code: 'config/bootstrap-in-place',
        path: ['bootstrapInPlace'],
        message: 'bootstrapInPlace is missing: the live system has to know which disk to install to',
        hint: 'add "bootstrapInPlace:" and below it "  installationDisk: /dev/disk/by-id/…"',
      },
    ]);
    return failure(...(found ?? []));
  },
});
