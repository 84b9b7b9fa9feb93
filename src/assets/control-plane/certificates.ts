import { keyPairPem, type KeyPairPem } from '../../formats/keys/private-key.js';
import { defineAsset } from '../../graph/asset.js';
import { namings } from '../../pki/hostnames.js';
import { isOfNode, pairsByRotator } from '../../pki/installer-pairs.js';
import { issueRotators } from '../../pki/issue-rotators.js';
import { rotatorNames } from '../../pki/rotators.js';
import { daySeconds, addSeconds } from '../../pki/validity.js';
import { controlPlaneRender } from '../config/control-plane-render.js';
import { snoConfig } from '../config/sno-config.js';
import { boundServiceAccountKey } from '../tls/bound-service-account-key.js';
import { leaves, serviceAccountKeyPair, signerKeys, signers } from '../tls/certificates.js';
import { apiServerNames, networks, nodeIdentity } from './node-identity.js';

/** Signing key pair of bound service-account tokens: the user's, or generated. Undefined if the payload's operators generate it. */
const boundKeyPair = defineAsset({
  name: 'control-plane/bound-service-account-key',
  needs: { render: controlPlaneRender, users: boundServiceAccountKey },
  make: async ({ render, users }, { valueSource }): Promise<KeyPairPem | undefined> => {
    // The payload's operators generate their own key.
    if (users !== undefined || render.by === 'Release') return users;
    const key = await valueSource.rsaKey('tls/bound-service-account-signing-key', 2048);
    return keyPairPem(key);
  },
});

/** Both service-account key pairs, if both are generated here. kube-controller-manager signs legacy tokens. */
export const serviceAccountKeys = defineAsset({
  name: 'control-plane/service-account-keys',
  needs: { legacy: serviceAccountKeyPair, bound: boundKeyPair },
  make: ({ legacy, bound }) => (bound === undefined ? undefined : { legacy, bound }),
});

/**
 * All certificates of the control plane: the installer's pair if the rotator has one, else one issued here. Certificates that only
 * the node can issue are omitted; all are omitted if the payload's operators render the control plane.
 */
export const controlPlaneCertificates = defineAsset({
  name: 'control-plane/certificates',
  needs: {
    render: controlPlaneRender,
    sno: snoConfig,
    signerAlgorithm: signerKeys,
    ...signers,
    ...leaves,
    networks,
    apiServer: apiServerNames,
    node: nodeIdentity,
  },
  make: async (
    { render, sno, signerAlgorithm, networks, apiServer, node, ...installers },
    { valueSource, now },
  ) => {
    if (render.by === 'Release') return {};
    const { backdateSeconds, validitySeconds, keyAlgorithm } = sno.certificates;
    return issueRotators(
      {
        facts: { naming: namings.OpenShift, networks, apiServer, node: node.identity },
        wanted: rotatorNames.filter((name) => node.isKnown || !isOfNode(name)),
        given: pairsByRotator(installers),
        labelPrefix: 'control-plane/',
        keyAlgorithm,
        signerAlgorithm,
        notBefore: addSeconds(now, -backdateSeconds),
        // The operators' lifetime, but at least the period in which the user wants to boot the live system.
        notAfter: ({ lifetimeDays }) => addSeconds(now, Math.max(lifetimeDays * daySeconds, validitySeconds)),
      },
      valueSource,
    );
  },
});
