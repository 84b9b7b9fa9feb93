import { okdFindings } from '../../config/feature-sets.js';
import { capabilityFindings } from '../../config/rules/install/capabilities.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { pkiFindings } from '../../config/signer-algorithm.js';
import { nodeLabelReleaseFindings } from '../../config/rules/sno/node-labels.js';
import { installReading } from './install-reading.js';
import { releaseReading } from './release.js';
import { snoReading } from './sno-config.js';

/**
 * Checks that the release supports the capabilities, the feature set and `pki` of install-config.yaml, and `nodeLabels` of sno-config.yaml. Checked even if the config
 * has other errors, so that one run reports every problem.
 * Problems: config/capabilities, config/feature-set, config/pki, config/node-label.
 */
export const releaseSettings = defineAsset({
  name: 'config/release-settings',
  needs: { reading: installReading, sno: snoReading, release: releaseReading },
  tryMake: ({ reading: { draft }, sno, release: { release } }) =>
    resultOf(undefined, [
      ...(draft?.judge([
        ...capabilityFindings(draft.config, release.version),
        ...okdFindings(draft.config, release),
        ...pkiFindings(draft.config, draft.input, release.version),
      ]) ?? []),
      ...sno.judge(nodeLabelReleaseFindings(sno.config, release.version)),
    ]),
});
