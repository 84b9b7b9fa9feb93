import { mirrorProblems } from '../../config/reading/release-mirrors.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { installReading } from './install-reading.js';
import { releaseReading } from './release.js';
import { snoReading } from './sno-config.js';

/**
 * Whether the release comes from where the user means it to. Mirrors are asked by digest alone (`mirror-by-digest-only` of
 * containers-registries.conf(5)), so a release by tag is pulled from its source, mirror or not; one at the mirror itself, or
 * by digest, is not. It is asked whether the configs are sound or not, so that a run reports all there is.
 * Problems: config/mirror-not-asked, config/mirror-bypassed where the source may be contacted by the user's own word.
 */
export const releaseMirrors = defineAsset({
  name: 'config/release-mirrors',
  needs: { install: installReading, sno: snoReading, release: releaseReading },
  tryMake: ({ install: { draft }, sno, release: { release } }) =>
    resultOf(undefined, draft && sno.isSound('releaseImage') ? mirrorProblems(release.image, draft) : []),
});
