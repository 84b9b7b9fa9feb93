import { unobservedFieldProblems } from '../../manifests/checks/unobserved-fields.js';
import { resultOf, success } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { controlPlaneRender } from '../config/control-plane-render.js';
import { manifests } from '../manifests/all.js';

/** The manifests that the loops start from, once it is known that they read all of them. Problems: control-plane/unobserved-field. */
export const observedManifests = defineAsset({
  name: 'control-plane/observed-manifests',
  needs: { render: controlPlaneRender, manifests },
  tryMake: ({ render, manifests }) =>
    render.by === 'Release' ? success(manifests) : resultOf(manifests, unobservedFieldProblems(manifests)),
});
