import type { ImageReferences } from '../../config/reading/image-references.js';
import { placeholderGates, placeholderImage } from '../../control-plane/shared/placeholders.js';
import { seedObjects } from '../../control-plane/shared/seeds.js';
import { resultOf, success } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import type { ValueSource } from '../../graph/context.js';
import { textAt } from '../../kube/fields.js';
import type { Manifest } from '../../kube/manifest.js';
import { type ControlPlaneInputs, type ImageKey, versionsOf } from '../../control-plane/loops/loop-inputs.js';
import { unobservedFieldProblems } from '../../manifests/checks/unobserved-fields.js';
import { controlPlaneRender } from '../config/control-plane-render.js';
import { imageReferences } from '../config/image-references.js';
import { installConfig } from '../config/install-config.js';
import { snoConfig } from '../config/sno-config.js';
import { manifests } from '../manifests/manifests.js';
import { bundles } from '../tls/certificates.js';
import { controlPlaneCertificates, serviceAccountKeys } from './certificates.js';
import { apiServerNames, networks, nodeIdentity } from './node-identity.js';
import { requestedNames } from './requested-names.js';

/** The manifests the loops start from, after checking that the loops support all their fields. Problems: control-plane/unobserved-field. */
const observedManifests = defineAsset({
  name: 'control-plane/observed-manifests',
  needs: { render: controlPlaneRender, manifests },
  tryMake: ({ render, manifests }) =>
    render.by === 'Release' ? success(manifests) : resultOf(manifests, unobservedFieldProblems(manifests)),
});

/** Input of the control loops for the live system; undefined if the payload's operators render the control plane. */
export const bootstrapInPlaceInputs = defineAsset({
  name: 'control-plane/bootstrap-in-place-inputs',
  needs: {
    install: installConfig,
    sno: snoConfig,
    // Unused dependency: unknown flags prevent rendering.
    requested: requestedNames,
    render: controlPlaneRender,
    references: imageReferences,
    manifests: observedManifests,
    networks,
    apiServer: apiServerNames,
    node: nodeIdentity,
    issued: controlPlaneCertificates,
    serviceAccountKeys,
    adminCa: bundles['admin-kubeconfig-ca-bundle'],
    kubeletBootstrapCa: bundles['kubelet-bootstrap-kubeconfig-ca-bundle'],
    kubeletCa: bundles['kubelet-client-ca-bundle'],
  },
  make: (given, { now, valueSource }): ControlPlaneInputs | undefined => {
    const { install, sno, render, references, node, serviceAccountKeys } = given;
    if (render.by === 'Release' || serviceAccountKeys === undefined) return undefined;
    const { networks, apiServer, issued } = given;
    const profile = 'OpenShift';
    const versions = versionsOf(render.payload);
    return {
      profile,
      versions,
      payload: render.payload,
      node: node.identity,
      images: imagesFrom(references),
      networks,
      apiServer,
      ...encryptionOf(given.manifests, valueSource),
      issued,
      serviceAccountKeys,
      seeds: [
        ...seedObjects({
          adminCaPem: given.adminCa,
          kubeletBootstrapCaPem: given.kubeletBootstrapCa,
          kubeletCaPem: given.kubeletCa,
          serviceAccountKeys,
        }),
        ...given.manifests.map(({ object }) => object),
      ],
      clusterSigningSeconds: payloadSigningSeconds,
      featureGates: { ...gatesOf(install.featureGates), ...sno.controlPlane.featureGates },
      payloadGates: placeholderGates,
      extraArguments: sno.controlPlane.extraArguments,
      now,
    };
  },
});

/** Source: cluster-kube-controller-manager-operator bindata/assets/config/defaultconfig.yaml, cluster-signing-duration */
const payloadSigningSeconds = 720 * 60 * 60;

/**
 * Encryption settings of the user's APIServer manifest. etcd is empty, so the first key may encrypt at once and nothing needs
 * migration. Other types require more than a key. Source: openshift/api config/v1 APIServerEncryption
 */
function encryptionOf(
  manifests: readonly Manifest[],
  valueSource: ValueSource,
): Pick<ControlPlaneInputs, 'encryption'> {
  const apiServer = manifests.find(({ object }) => object.kind === 'APIServer');
  const provider = textAt(apiServer?.object, ['spec', 'encryption', 'type']);
  if (provider !== 'aescbc' && provider !== 'aesgcm') return {};
  const hex = valueSource.text('control-plane/encryption-key', 64, '0123456789abcdef');
  return { encryption: { provider, key: Buffer.from(hex, 'hex').toString('base64') } };
}

/** Pull specs of the payload if its image references are known; else placeholders that the node replaces. */
function imagesFrom(references: ImageReferences | undefined): ControlPlaneInputs['images'] {
  const image = (key: ImageKey): string => references?.[key] ?? placeholderImage(key);
  return {
    'cluster-etcd-operator': image('cluster-etcd-operator'),
    'cluster-kube-apiserver-operator': image('cluster-kube-apiserver-operator'),
    'cluster-policy-controller': image('cluster-policy-controller'),
    etcd: image('etcd'),
    hyperkube: image('hyperkube'),
    // One image contains all Kubernetes programs.
    'kube-apiserver': image('hyperkube'),
    'kube-controller-manager': image('hyperkube'),
    'kube-scheduler': image('hyperkube'),
  };
}

/** Payload names of the images in the rendered pods. */
export const imageKeys: readonly string[] = [
  ...new Set(Object.values(imagesFrom(undefined)).map((image) => image.replace(/^@@image-(.*)@@$/, '$1'))),
];

function gatesOf(featureGates: readonly string[]): Readonly<Record<string, boolean>> {
  return Object.fromEntries(featureGates.map((gate) => [gate.split('=')[0] ?? '', gate.endsWith('=true')]));
}
