import { secret } from '../../kube/core-objects.js';
import { machineConfigManifest } from '../../manifests/machine-config-files.js';
import {
  internalReleaseImage,
  payloadMirrorSets,
  runsPayloadRegistry,
} from '../../manifests/payload-objects.js';
import { ownPayloadRegistry, payloadMount, type PayloadRegistry } from '../../node/payload.js';
import { installConfig } from '../config/install-config.js';
import { payloadRegistry } from '../tls/payload-registry.js';
import type { GeneratedManifest } from '../../manifests/edits/edits.js';
import { defineManifests } from './family.js';

/**
 * The payload on the installed node: its mirrors, its partition, and its registry, which the machine-config operator runs for an
 * InternalReleaseImage. Without a payload, nothing.
 */
export const payloadManifests = defineManifests({
  name: 'manifests/payload',
  needs: { install: installConfig, registry: payloadRegistry },
  make: ({ install, registry }, { templates }) => {
    if (registry === undefined) return [];
    const { manifest } = registry.payload;
    const isNative = runsPayloadRegistry(manifest, install);
    const { digests, tags } = payloadMirrorSets(manifest, registry.hosts);
    return [
      { path: 'manifests/payload-image-digest-mirror-set.yaml', object: digests },
      ...(tags === undefined ? [] : [{ path: 'manifests/payload-image-tag-mirror-set.yaml', object: tags }]),
      machineConfigManifest(
        'master',
        '99-master-sno-payload',
        payloadMount(registry, { isNative, templates }),
      ),
      ...(isNative
        ? nativeRegistry(registry)
        : [
            // The name that the operator gives its own for an InternalReleaseImage.
            machineConfigManifest(
              'master',
              '02-master-internalreleaseimage',
              ownPayloadRegistry(registry, templates),
            ),
          ]),
    ];
  },
});

/** Source of names and keys: machine-config-operator pkg/controller/common/constants.go, pkg/controller/internalreleaseimage */
function nativeRegistry({
  payload,
  certificatePem,
  keyPem,
  htpasswd,
  auth,
}: PayloadRegistry): readonly GeneratedManifest[] {
  const namespace = 'openshift-machine-config-operator';
  const password = Buffer.from(auth, 'base64')
    .toString()
    .replace(/^[^:]*:/, '');
  return [
    { path: 'manifests/internal-release-image.yaml', object: internalReleaseImage(payload.manifest) },
    {
      path: 'manifests/internal-release-image-tls-secret.yaml',
      object: secret({ name: 'internal-release-image-tls', namespace }, 'kubernetes.io/tls', {
        'tls.crt': certificatePem,
        'tls.key': keyPem,
      }),
    },
    {
      path: 'manifests/internal-release-image-registry-auth-secret.yaml',
      object: secret({ name: 'internal-release-image-registry-auth', namespace }, 'Opaque', {
        htpasswd,
        password,
      }),
    },
  ];
}
