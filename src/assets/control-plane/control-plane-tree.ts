import type { RenderedControlPlane } from '../../control-plane/render-control-plane.js';
import { controlPlaneTree } from '../../control-plane/control-plane-tree.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { snoReading } from '../config/sno-config.js';
import { bootstrapInPlaceControlPlane } from './node-files.js';

/** The control plane of bootstrap in place as a tree for review. Problems: config/render-unavailable. */
export const bootstrapInPlaceTree = defineAsset({
  name: 'control-plane/tree',
  needs: { rendered: bootstrapInPlaceControlPlane, reading: snoReading },
  tryMake: ({ rendered, reading }): Result<RenderedControlPlane> =>
    rendered === undefined
      ? failure(
          problem(
            'config/render-unavailable',
            'the control plane cannot be shown: the operators of the release render it on the node',
            {
              at: reading.placeOf(['controlPlane', 'render']),
              hint: 'write "controlPlane: {render: Installer}" into sno-config.yaml',
            },
          ),
        )
      : success(rendered),
  files: controlPlaneTree,
});
