import { readRelease } from '../../config/reading/release.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { installReading } from './install-reading.js';
import { payloadReading } from './payload-reading.js';
import { snoReading } from './sno-config.js';

/** The payload as far as it is known. Available even if the configs have errors, so that one run reports every problem. */
export const releaseReading = defineAsset({
  name: 'config/release-reading',
  needs: { install: installReading, sno: snoReading, reading: payloadReading },
  make: ({ install, sno, reading: { payload, uncompared } }, { environment }) =>
    readRelease(install.draft, sno, {
      override: environment.releaseImageOverride,
      payload: (payload?.manifest ?? uncompared)?.release,
    }),
});

/**
 * The payload: OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE, else `releaseImage` of sno-config.yaml, else the release of `payload`, else
 * the default.
 * Problems: usage/environment, config/release-architecture, config/release-untested.
 */
export const release = defineAsset({
  name: 'config/release',
  needs: { reading: releaseReading },
  tryMake: ({ reading }) => resultOf(reading.release, reading.problems),
});
