import { createPrivateKey, type KeyObject } from 'node:crypto';

import { readCertificateBundle } from '../../formats/keys/certificate-bundle.js';
import { readIssuingCertificate, type IssuingCertificate } from '../../formats/keys/issuing-certificate.js';
import { privateKeyFrom, type PrivateKey } from '../../formats/keys/private-key.js';
import type { Issuer } from '../certified-key.js';

/** A certificate of a chain, and the line of the text (from 0) that it begins on. */
export interface ChainCertificate {
  readonly facts: IssuingCertificate;
  readonly textLine: number;
  readonly pem: string;
}

/** What is wrong with a text, at a line of it from 0; the end of a sentence. */
export interface TextFault {
  readonly textLine: number;
  readonly fault: string;
}

/** The certificates of a PEM text in their order. */
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
      ...unread.map(({ textLine }) => ({ textLine, fault: 'it cannot be read as one of an authority' })),
    ],
  };
}

/** A private key in PEM: PKCS#8, PKCS#1 or SEC1. A fault is the end of a sentence and says nothing of the text. */
export function readAuthorityKey(
  text: string,
): { readonly key: PrivateKey; readonly object: KeyObject } | { readonly fault: string } {
  if (!text.includes('PRIVATE KEY')) return { fault: 'holds no private key in PEM' };
  if (/ENCRYPTED/.test(text))
    return { fault: 'is encrypted: decrypt it into a variable or a pipe, such as with `openssl pkey`' };
  try {
    const object = createPrivateKey(text);
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = object;
    const isKnown = type === 'rsa' || ['prime256v1', 'secp384r1'].includes(details?.namedCurve ?? '');
    if (!isKnown) return { fault: 'is of a kind other than RSA, ECDSA P-256 and P-384' };
    return { key: privateKeyFrom(object), object };
  } catch {
    return { fault: 'holds a private key that cannot be read' };
  }
}

/** What signs with a key that belongs to the first certificate of a chain. */
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
