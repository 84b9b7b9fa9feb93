import { failure, success } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { installReading } from './install-reading.js';

/**
 * The installation disk (rule 41). Checked even if the rest of the config has errors, so that one run reports every problem; the
 * value is only usable with a valid config.
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
        message: 'bootstrapInPlace is missing: it names the disk to install to',
        hint: 'add "bootstrapInPlace:" and below it "  installationDisk: /dev/disk/by-id/…"',
      },
    ]);
    return failure(...(found ?? []));
  },
});
