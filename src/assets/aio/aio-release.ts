import { failure, resultOf } from '../../core/result.js';
import { aioImages } from '../../config/schema/aio-model.js';
import { defineAsset } from '../../graph/asset.js';
import {
  aioVersions,
  type AioRelease,
  completeImages,
  missingImages,
  defaultImages,
} from '../../node/aio/aio-release.js';
import { imagesByTag } from '../../node/aio/images-by-tag.js';
import { imageReferences } from '../config/image-references.js';
import { payloadReading } from '../config/payload-reading.js';
import { releaseReading } from '../config/release.js';
import { snoReading } from '../config/sno-config.js';

/**
 * Versions and images of the control plane: the user's, or the distribution's defaults.
 * Problems: aio/missing-image, aio/image-by-tag.
 */
export const aioRelease = defineAsset({
  name: 'aio/release',
  needs: {
    reading: snoReading,
    references: imageReferences,
    payload: payloadReading,
    release: releaseReading,
  },
  tryMake: ({ reading, references, payload, release: { release } }) => {
    const { controlPlane } = reading.config;
    const versions = aioVersions(controlPlane, release);
    // `aioRequests` reports an unknown version.
    if (versions === undefined) return failure();
    const usual = defaultImages[controlPlane.distribution]({
      payload: references,
      version: controlPlane.kubernetesVersion,
      minor: versions.kubernetesMinor,
    });
    const images = { ...usual, ...controlPlane.images };
    // A payload that cannot be read is already a problem.
    const isKnown = payload.problems.length === 0;
    const missing = isKnown ? aioImages.filter((name) => images[name] === undefined) : [];
    const at = reading.placeOf(['controlPlane', 'distribution']);
    return resultOf<AioRelease>({ versions, images: completeImages(images) }, [
      ...(missing.length === 0 ? [] : [missingImages(missing, references !== undefined, at)]),
      ...(controlPlane.imagesByDigest
        ? imagesByTag(images, reading.placeOf(['controlPlane', 'imagesByDigest']))
        : []),
    ]);
  },
});
