// Signatures of the release files as Sigstore bundles of version 0.3, which cosign and other Sigstore clients verify.
// Source: https://docs.sigstore.dev/about/bundle/ and https://github.com/secure-systems-lab/dsse/blob/master/protocol.md
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const payloadType = 'application/vnd.in-toto+json';

/** A signer for a private key in a PEM file, ECDSA on P-256; throws if the file contains none. */
export function signerOf(path) {
  const key = keyIn(path);
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return {
    /** ECDSA with SHA-256, in DER. */
    sign: (bytes) => sign('sha256', bytes, key),
    hint: createHash('sha256').update(spki).digest('base64'),
  };
}

/** The bundle with the signature of a file. */
export function bundleOfFile(signer, bytes) {
  const digest = createHash('sha256').update(bytes).digest('base64');
  return bundle(signer, {
    messageSignature: {
      messageDigest: { algorithm: 'SHA2_256', digest },
      signature: signer.sign(bytes).toString('base64'),
    },
  });
}

/** The bundle with a statement in a signed envelope (DSSE). */
export function bundleOfStatement(signer, statement) {
  const payload = Buffer.from(JSON.stringify(statement));
  const before = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `;
  const sig = signer.sign(Buffer.concat([Buffer.from(before), payload])).toString('base64');
  const signatures = [{ sig, keyid: '' }];
  return bundle(signer, { dsseEnvelope: { payload: payload.toString('base64'), payloadType, signatures } });
}

function keyIn(path) {
  try {
    const key = createPrivateKey(readFileSync(path));
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch (cause) {
    throw new Error(`${path} does not contain an unencrypted private key in PEM`, { cause });
  }
  throw new Error(`${path} is not an ECDSA P-256 key: generate one with openssl genpkey -algorithm EC`);
}

function bundle({ hint }, content) {
  const whole = {
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint } },
    ...content,
  };
  return `${JSON.stringify(whole, undefined, 1)}\n`;
}
