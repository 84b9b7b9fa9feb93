import { defineAsset } from '../../graph/asset.js';
import { controlPlaneTree } from '../../control-plane/control-plane-tree.js';
import { aioControlPlane } from './control-plane.js';

/** The control plane of an all-in-one node as a tree for review. */
export const aioControlPlaneTree = defineAsset({
  name: 'aio/control-plane-tree',
  needs: { rendered: aioControlPlane },
  make: ({ rendered }) => rendered,
  files: controlPlaneTree,
});
