import { renderControlPlane } from '../../control-plane/render-control-plane.js';
import { seedObjects } from '../../control-plane/shared/seeds.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import { defineAsset } from '../../graph/asset.js';
import type { ControlPlaneInputs, EncryptionKey } from '../../control-plane/loops/loop-inputs.js';
import type { AioRelease } from '../../node/aio/aio-release.js';
import { nodeIdentity, type NodeFacts } from '../../node/aio/node-facts.js';
import { pairOf, type RotatorPairs } from '../../pki/rotator-pairs.js';
import type { CertifiedKey } from '../../pki/certified-key.js';
import { snoConfig } from '../config/sno-config.js';
import { aioRelease } from './aio-release.js';
import { ownSigners, rotatorPairs, serviceAccountKeys } from './certificates.js';
import { nodeFacts } from './node-facts.js';
import { aioRequests } from './aio-requests.js';

/** Key that encrypts Secrets in etcd, generated once; undefined if the user turned encryption off. */
const encryptionKey = defineAsset({
  name: 'aio/encryption-key',
  needs: { sno: snoConfig },
  make: ({ sno }, { valueSource }): EncryptionKey | undefined => {
    const provider = sno.controlPlane.encryption;
    if (provider === 'None') return undefined;
    // 32 bytes: valid for all three providers. Source: kubernetes.io, encrypting data at rest
    const hex = valueSource.text('aio/encryption-key', 64, '0123456789abcdef');
    return { provider, key: Buffer.from(hex, 'hex').toString('base64') };
  },
});

/** The rendered control plane with upstream's flags. Problems: those of the control loops. */
export const aioControlPlane = defineAsset({
  name: 'aio/control-plane',
  needs: {
    sno: snoConfig,
    // Unused dependency: unknown flags or feature gates prevent rendering.
    requests: aioRequests,
    facts: nodeFacts,
    release: aioRelease,
    ownSigners,
    rotators: rotatorPairs,
    serviceAccountKeys,
    encryption: encryptionKey,
  },
  tryMake: (parents, { now }) => renderControlPlane(inputsOf(parents, now)),
});

interface Parents {
  readonly sno: SnoConfig;
  readonly facts: NodeFacts;
  readonly release: AioRelease;
  readonly ownSigners: Readonly<Record<'admin-signer' | 'boot-signer', CertifiedKey>>;
  readonly rotators: RotatorPairs;
  readonly serviceAccountKeys: ControlPlaneInputs['serviceAccountKeys'];
  readonly encryption: EncryptionKey | undefined;
}

function inputsOf(parents: Parents, now: Date): ControlPlaneInputs {
  const { sno, facts, release, ownSigners, rotators, serviceAccountKeys, encryption } = parents;
  const { extraArguments, featureGates, certificates } = sno.controlPlane;
  return {
    profile: 'Kubernetes',
    versions: release.versions,
    node: nodeIdentity(facts),
    images: { ...unusedImages, ...release.images },
    networks: facts.networks,
    apiServer: facts.apiServer,
    ...(encryption && { encryption }),
    issued: rotators,
    serviceAccountKeys,
    seeds: seedObjects({
      adminCaPem: ownSigners['admin-signer'].certPem,
      kubeletBootstrapCaPem: ownSigners['boot-signer'].certPem,
      kubeletCaPem: pairOf(rotators, 'csr-signer-signer').certPem,
      serviceAccountKeys,
    }),
    clusterSigningSeconds: certificates.leavesSeconds,
    featureGates,
    extraArguments,
    now,
  };
}

/** Images that only OpenShift's operators use. */
const unusedImages = {
  'cluster-policy-controller': '',
  hyperkube: '',
  'cluster-etcd-operator': '',
  'cluster-kube-apiserver-operator': '',
};
