import { releasePullProblems } from '../../config/reading/release-mirrors.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { installReading } from './install-reading.js';
import { releaseReading } from './release.js';
import { snoReading } from './sno-config.js';

/**
 * Warns if the release image is not pulled from the configured mirror, or is pulled from a registry without credentials. Mirrors apply
 * only to digests (`mirror-by-digest-only` of containers-registries.conf(5)), so a release with a tag is pulled from its source. A release
 * by digest, or in the mirror itself, is fine. Checked even if the configs have errors, so that one run reports every problem.
 * Problems: config/mirror-not-asked; config/mirror-bypassed if the user allows contacting the source; config/release-without-credentials.
 */
export const releaseMirrors = defineAsset({
  name: 'config/release-mirrors',
  needs: { install: installReading, sno: snoReading, release: releaseReading },
  tryMake: ({ install: { draft }, sno, release: { release } }) =>
    resultOf(
      undefined,
      // With a payload, the release is not pulled from a registry.
      draft && sno.config.payload === undefined && sno.isSound('releaseImage')
        ? releasePullProblems(release.image, draft)
        : [],
    ),
});
