import { internalApiHost } from '../../config/cluster-domain.js';
import { reportTokenForm } from '../../config/report/report-files.js';
import { defineAsset } from '../../graph/asset.js';
import { payloadHosts, payloadUser, type PayloadRegistry } from '../../node/payload.js';
import { registryLeaf } from '../../pki/installer-catalog.js';
import { issueLeaf } from '../../pki/issue-pair.js';
import { installConfig } from '../config/install-config.js';
import { sitePayload } from '../config/payload.js';
import { snoConfig } from '../config/sno-config.js';
import { certificateNames, signers } from './certificates.js';

/** The registry of the payload, with a certificate and a password of the site; undefined without a payload. */
export const payloadRegistry = defineAsset({
  name: 'tls/internal-release-image',
  needs: {
    payload: sitePayload,
    install: installConfig,
    sno: snoConfig,
    signer: signers[registryLeaf.signer],
    names: certificateNames,
  },
  make: async ({ payload, install, sno, signer, names }, context): Promise<PayloadRegistry | undefined> => {
    if (payload === undefined) return undefined;
    const { valueSource } = context;
    const pair = await issueLeaf('internal-release-image', registryLeaf, { signer, names, sno, context });
    const password = valueSource.text(
      'payload-registry/password',
      reportTokenForm.length,
      reportTokenForm.alphabet,
    );
    const hash = await valueSource.bcryptHash('payload-registry/hash', password);
    return {
      payload,
      hosts: payloadHosts(internalApiHost(install)),
      certificatePem: pair.chainPem,
      keyPem: pair.keyPem.reveal(),
      authorityPem: signer.certPem,
      auth: Buffer.from(`${payloadUser}:${password}`).toString('base64'),
      htpasswd: `${payloadUser}:${hash}\n`,
    };
  },
});
