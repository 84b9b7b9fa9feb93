import { capabilityFindings } from '../../config/rules/install/capabilities.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { installReading } from './install-reading.js';
import { releaseReading } from './release.js';

/**
 * Whether the release has the capabilities that install-config.yaml names. Checked even if the config has other errors,
 * so that a run reports all there are.
 * Problem: config/capabilities.
 */
export const capabilities = defineAsset({
  name: 'config/capabilities',
  needs: { reading: installReading, release: releaseReading },
  tryMake: ({ reading: { draft }, release: { release } }) =>
    resultOf(undefined, draft?.judge(capabilityFindings(draft.config, release.version)) ?? []),
});
