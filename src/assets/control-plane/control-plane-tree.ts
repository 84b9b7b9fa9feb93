import { controlPlaneTree, type ShownControlPlane } from '../../control-plane/control-plane-tree.js';
import { objectKey } from '../../control-plane/loops/store.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { identityKey, identityOf } from '../../kube/identity.js';
import type { KubeObject } from '../../kube/object.js';
import { isOperatorConfig } from '../../node/control-plane/exported-manifests.js';
import { nodeCertificates, secretsOfNode } from '../../node/control-plane/node-certificates.js';
import { snoReading } from '../config/sno-config.js';
import { manifests } from '../manifests/manifests.js';
import { bootstrapInPlaceInputs } from './inputs.js';
import { bootstrapInPlaceControlPlane } from './node-files.js';

/** The control plane of bootstrap in place as a tree for review. Problems: config/render-unavailable. */
export const bootstrapInPlaceTree = defineAsset({
  name: 'control-plane/tree',
  needs: {
    inputs: bootstrapInPlaceInputs,
    rendered: bootstrapInPlaceControlPlane,
    manifests,
    reading: snoReading,
  },
  tryMake: ({ inputs, rendered, manifests, reading }): Result<ShownControlPlane> => {
    if (inputs === undefined || rendered === undefined) {
      const at = reading.placeOf(['controlPlane', 'render']);
      return failure(problem('config/render-unavailable', 'the control plane cannot be shown', { at }));
    }
    const certificates = nodeCertificates(inputs, rendered.store);
    const completed = secretsOfNode(certificates);
    const own = new Set(manifests.map(({ object }) => identityKey(identityOf(object))));
    const keysOf = (isWanted: (object: KubeObject, identity: string) => boolean): ReadonlySet<string> =>
      new Set(
        rendered.store
          .objects()
          .filter((object) => isWanted(object, identityKey(identityOf(object))))
          .map(objectKey),
      );
    return success({
      ...rendered,
      certificates,
      completedByNode: keysOf((_object, identity) => completed.has(identity)),
      notApplied: keysOf((object, identity) => isOperatorConfig(object) && !own.has(identity)),
    });
  },
  files: controlPlaneTree,
});
