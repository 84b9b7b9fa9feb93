import { createPrivateKey, type KeyObject } from 'node:crypto';

import { readCertificateBundle } from '../../formats/keys/certificate-bundle.js';
import { readIssuingCertificate, type IssuingCertificate } from '../../formats/keys/issuing-certificate.js';
import { privateKeyFrom, type PrivateKey } from '../../formats/keys/private-key.js';
import type { Issuer } from '../certified-key.js';

/** A certificate of a chain and its first line in the text, from 0. */
export interface ChainCertificate {
  readonly facts: IssuingCertificate;
  readonly textLine: number;
  readonly pem: string;
}

/** A fault at a line of a text (from 0); predicate of a sentence. */
export interface TextFault {
  readonly textLine: number;
  readonly fault: string;
}

/** Reads all certificates of a PEM text, in order. */
export function readChain(text: string): {
  readonly chain: readonly ChainCertificate[];
  readonly faults: readonly TextFault[];
} {
  const { certificates, faults } = readCertificateBundle(text);
  const chain = certificates.flatMap(({ pem, textLine }) => {
    const facts = readIssuingCertificate(pem);
    return facts === undefined ? [] : [{ facts, textLine, pem }];
  });
  const unread = certificates.filter(({ pem }) => !chain.some((each) => each.pem === pem));
  return {
    chain,
    faults: [
      ...faults,
      ...unread.map(({ textLine }) => ({ textLine, fault: 'it is not a valid CA certificate' })),
    ],
  };
}

/** Reads a private key in PEM: PKCS#8, PKCS#1 or SEC1. A fault is the predicate of a sentence and quotes nothing from the text. */
export function readAuthorityKey(
  text: string,
): { readonly key: PrivateKey; readonly object: KeyObject } | { readonly fault: string } {
  if (!text.includes('PRIVATE KEY')) return { fault: 'contains no PEM private key' };
  if (/ENCRYPTED/.test(text))
    return { fault: 'is encrypted: decrypt it into a variable or a pipe, such as with `openssl pkey`' };
  try {
    const object = createPrivateKey(text);
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = object;
    const isKnown = type === 'rsa' || ['prime256v1', 'secp384r1'].includes(details?.namedCurve ?? '');
    if (!isKnown) return { fault: 'is not an RSA, ECDSA P-256 or ECDSA P-384 key' };
    return { key: privateKeyFrom(object), object };
  } catch {
    return { fault: 'contains an invalid private key' };
  }
}

/** The issuer for a chain and the private key of its first certificate. */
export function issuerOf(chain: readonly ChainCertificate[], privateKey: PrivateKey): Issuer {
  const [own, ...above] = chain;
  if (own === undefined) throw new Error('internal error: a chain without certificates was judged sound');
  const { facts, pem } = own;
  const between = above.filter(({ facts: each }) => !each.isSelfIssued);
  return {
    certPem: pem,
    key: { privateKey, identifier: facts.keyIdentifier },
    subject: facts.subject,
    notBefore: new Date(Math.max(...chain.map(({ facts: { x509 } }) => Date.parse(x509.validFrom)))),
    notAfter: new Date(Math.min(...chain.map(({ facts: { x509 } }) => Date.parse(x509.validTo)))),
    ...(!facts.isSelfIssued && { abovePem: between.map((each) => each.pem).join('') }),
  };
}
