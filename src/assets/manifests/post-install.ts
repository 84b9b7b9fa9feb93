import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import type { PostInstallObject } from '../../manifests/post-install/post-install-objects.js';
import { postInstallReading } from './manifest-files.js';

/**
 * The objects of post-install/ in the order in which they are applied. Checked even if the configs have errors.
 * Problems: those of `postInstallReading`.
 */
export const postInstallObjects = defineAsset({
  name: 'post-install/objects',
  needs: { files: postInstallReading },
  tryMake: ({ files }) => resultOf<readonly PostInstallObject[]>(files.objects, files.problems),
});
