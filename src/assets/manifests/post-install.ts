import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import type { PostInstallObject } from '../../manifests/post-install/post-install-objects.js';
import { postInstallSystem } from '../../node/post-install.js';
import { snoConfig } from '../config/sno-config.js';
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

/** Files of the live system that apply the post-install manifests on the installed node. */
export const postInstallNodeFiles = defineAsset({
  name: 'post-install/node-files',
  needs: { objects: postInstallObjects, sno: snoConfig },
  make: ({ objects, sno }, { templates }) =>
    postInstallSystem(objects, { timeoutSeconds: sno.postInstallTimeoutSeconds, templates }),
});
