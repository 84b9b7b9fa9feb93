import { loopTitles } from '../../control-plane/all-loops.js';
import { exportedManifests } from '../../node/control-plane/exported-manifests.js';
import { nodeCertificates, secretsOfNode } from '../../node/control-plane/node-certificates.js';
import { etcdFiles, liveSystemPath, controlPlaneSecretFile } from '../../node/control-plane/node-files.js';
import { renderControlPlane, type RenderedControlPlane } from '../../control-plane/render-control-plane.js';
import { success, type Result } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import type { NodeFile } from '../../ignition/types.js';
import { identityKey, identityOf } from '../../kube/identity.js';
import { manifests } from '../manifests/manifests.js';
import { bootstrapInPlaceInputs } from './inputs.js';

/** The rendered control plane that the live system starts; undefined if the payload's operators render it. */
export const bootstrapInPlaceControlPlane = defineAsset({
  name: 'control-plane/bootstrap-in-place',
  needs: { inputs: bootstrapInPlaceInputs },
  steps: loopTitles(),
  tryMake: ({ inputs }): Result<RenderedControlPlane | undefined> =>
    inputs === undefined ? success(undefined) : renderControlPlane(inputs),
});

/** Files of the rendered control plane on the live system; empty if the payload's operators render it. */
export const controlPlaneNodeFiles = defineAsset({
  name: 'control-plane/node-files',
  needs: { inputs: bootstrapInPlaceInputs, rendered: bootstrapInPlaceControlPlane, manifests },
  make: ({ inputs, rendered, manifests }): readonly NodeFile[] => {
    if (inputs === undefined || rendered === undefined) return [];
    const certificates = nodeCertificates(inputs, rendered.store);
    // Excludes the manifests that the installation already contains.
    const own = manifests.map(({ object }) => identityKey(identityOf(object)));
    const exported = exportedManifests(rendered.store, new Set([...own, ...secretsOfNode(certificates)]));
    return [
      ...rendered.files.map((file) => ({ ...file, path: liveSystemPath(file.path) })),
      ...exported.map(({ name, text }) => controlPlaneSecretFile(`manifests/${name}`, text)),
      ...etcdFiles(inputs),
      ...(certificates === undefined
        ? []
        : [
            controlPlaneSecretFile(
              'node-certificates.json',
              `${JSON.stringify(certificates, undefined, 2)}\n`,
            ),
          ]),
    ];
  },
});
