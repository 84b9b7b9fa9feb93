import { internalApiHost } from '../../config/cluster-domain.js';
import { reportTokenForm } from '../../config/report/report-files.js';
import { defineAsset } from '../../graph/asset.js';
import type { ValueSource } from '../../graph/context.js';
import { payloadHosts, payloadUser, type PayloadRegistry } from '../../node/payload.js';
import type { CertifiedKey } from '../../pki/certified-key.js';
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
    const pair = await issueLeaf('internal-release-image', registryLeaf, { signer, names, sno, context });
    return registryWith(pair, {
      payload,
      hosts: payloadHosts(internalApiHost(install)),
      authorityPem: signer.certPem,
      valueSource: context.valueSource,
    });
  },
});

/** The registry with a certificate, and a password that is generated once per site. */
export async function registryWith(
  pair: Pick<CertifiedKey, 'chainPem' | 'keyPem'>,
  {
    valueSource,
    ...given
  }: Pick<PayloadRegistry, 'payload' | 'hosts' | 'authorityPem'> & { readonly valueSource: ValueSource },
): Promise<PayloadRegistry> {
  const { length, alphabet } = reportTokenForm;
  const password = valueSource.text('payload-registry/password', length, alphabet);
  const hash = await valueSource.bcryptHash('payload-registry/hash', password);
  return {
    ...given,
    certificatePem: pair.chainPem,
    keyPem: pair.keyPem.reveal(),
    auth: Buffer.from(`${payloadUser}:${password}`).toString('base64'),
    htpasswd: `${payloadUser}:${hash}\n`,
  };
}
