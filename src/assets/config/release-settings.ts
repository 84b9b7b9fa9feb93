import { okdFindings } from '../../config/feature-sets.js';
import { capabilityFindings } from '../../config/rules/install/capabilities.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { pkiFindings } from '../../config/signer-algorithm.js';
import { installReading } from './install-reading.js';
import { releaseReading } from './release.js';

/**
 * Whether the release has what install-config.yaml names: capabilities, the feature set and `pki`. Checked even if the config has other
 * errors, so that a run reports all there are.
 * Problems: config/capabilities, config/feature-set, config/pki.
 */
export const releaseSettings = defineAsset({
  name: 'config/release-settings',
  needs: { reading: installReading, release: releaseReading },
  tryMake: ({ reading: { draft }, release: { release } }) =>
    resultOf(
      undefined,
      draft?.judge([
        ...capabilityFindings(draft.config, release.version),
        ...okdFindings(draft.config, release),
        ...pkiFindings(draft.config, draft.input, release.version),
      ]) ?? [],
    ),
});
