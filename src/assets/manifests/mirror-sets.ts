import type { KubeObject } from '../../kube/object.js';
import { installConfig } from '../config/install-config.js';
import type { ImageContentSource, ImageDigestSource } from '../../config/schema/install-config-schema.js';
import { defineManifests } from './family.js';

/** Image mirrors: at most one of ImageContentSourcePolicy and ImageDigestMirrorSet, in the user's order. */
export const mirrorSets = defineManifests({
  name: 'manifests/mirror-sets',
  needs: { install: installConfig },
  make: ({ install: { imageContentSources, imageDigestSources } }) => [
    ...(imageContentSources.length > 0
      ? [
          {
            path: 'manifests/image-content-source-policy.yaml',
            object: contentSourcePolicy(imageContentSources),
          },
        ]
      : []),
    ...(imageDigestSources.length > 0
      ? [{ path: 'manifests/image-digest-mirror-set.yaml', object: digestMirrorSet(imageDigestSources) }]
      : []),
  ],
  alsoElsewhere: () => [
    { path: ['spec', 'repositoryDigestMirrors'], input: 'imageContentSources in install-config.yaml' },
    { path: ['spec', 'imageDigestMirrors'], input: 'imageDigestSources in install-config.yaml' },
  ],
});

/** Deprecated in favor of ImageDigestMirrorSet. Source: openshift/api operator/v1alpha1. */
function contentSourcePolicy(sources: readonly ImageContentSource[]): KubeObject {
  return {
    apiVersion: 'operator.openshift.io/v1alpha1',
    kind: 'ImageContentSourcePolicy',
    metadata: { name: 'image-policy' },
    spec: { repositoryDigestMirrors: sources.map(({ source, mirrors }) => ({ source, mirrors })) },
  };
}

/** Source: openshift/api config/v1. */
function digestMirrorSet(sources: readonly ImageDigestSource[]): KubeObject {
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'ImageDigestMirrorSet',
    metadata: { name: 'image-digest-mirror' },
    spec: {
      imageDigestMirrors: sources.map(({ source, mirrors, sourcePolicy }) => ({
        source,
        mirrors,
        ...(sourcePolicy && { mirrorSourcePolicy: sourcePolicy }),
      })),
    },
  };
}
