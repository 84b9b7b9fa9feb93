import { publicKeyPem } from '../../formats/keys/private-key.js';
import { defineAsset } from '../../graph/asset.js';
import type { KeyPairPem } from '../../control-plane/loops/loop-inputs.js';
import { namings } from '../../pki/hostnames.js';
import { isOfNode, pairsOf } from '../../pki/installers-pairs.js';
import { issueRotators } from '../../pki/issue-rotators.js';
import { rotatorNames } from '../../pki/rotators.js';
import { daySeconds, later } from '../../pki/validity.js';
import { controlPlaneRender } from '../config/control-plane-render.js';
import { snoConfig } from '../config/sno-config.js';
import { boundServiceAccountKey } from '../tls/bound-service-account-key.js';
import { leaves, serviceAccountKeyPair, signerKeys, signers } from '../tls/certificates.js';
import { apiServerNames, networks, nodeIdentity } from './node-identity.js';

/** What signs bound service-account tokens: the user's own key, or one that is drawn. */
const boundKeyPair = defineAsset({
  name: 'control-plane/bound-service-account-key',
  needs: { render: controlPlaneRender, users: boundServiceAccountKey },
  make: async ({ render, users }, { draws }): Promise<KeyPairPem | undefined> => {
    // The payload's operators draw their own.
    if (users !== undefined || render.by === 'Release') return users;
    const key = await draws.rsaKey('tls/bound-service-account-signing-key', 2048);
    return { keyPem: key.pem, publicKeyPem: publicKeyPem(key) };
  },
});

/** Both pairs of service-account keys, when both are made here; legacy tokens are those that kube-controller-manager signs. */
export const serviceAccountKeys = defineAsset({
  name: 'control-plane/service-account-keys',
  needs: { legacy: serviceAccountKeyPair, bound: boundKeyPair },
  make: ({ legacy, bound }) => (bound === undefined ? undefined : { legacy, bound }),
});

/**
 * Every certificate of the control plane: those of the installer's inventory where it has one for the place, the others
 * issued here. What only the node can certify is left out; all, where the payload's operators render.
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
    { draws, now },
  ) => {
    if (render.by === 'Release') return {};
    const { backdateSeconds, validitySeconds, keyAlgorithm } = sno.certificates;
    return issueRotators(
      {
        facts: { naming: namings.OpenShift, networks, apiServer, node: node.identity },
        wanted: rotatorNames.filter((name) => node.isKnown || !isOfNode(name)),
        given: pairsOf(installers),
        labelPrefix: 'control-plane/',
        keyAlgorithm,
        signerAlgorithm,
        notBefore: later(now, -backdateSeconds),
        // As long as operators let them live, and never shorter than the user wants the live system to be bootable.
        notAfter: ({ lifetimeDays }) => later(now, Math.max(lifetimeDays * daySeconds, validitySeconds)),
      },
      draws,
    );
  },
});
