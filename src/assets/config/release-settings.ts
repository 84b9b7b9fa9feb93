import { okdFindings } from '../../config/feature-sets.js';
import { capabilityFindings } from '../../config/rules/install/capabilities.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { pkiFindings } from '../../config/signer-algorithm.js';
import { installReading } from './install-reading.js';
import { releaseReading } from './release.js';

/**
 * Checks that the release supports the capabilities, the feature set and `pki` of install-config.yaml. Checked even if the config
 * has other errors, so that one run reports every problem.
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
