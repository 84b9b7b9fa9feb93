import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { readNamedText } from '../../disk/named-file.js';
import { readSshPrivate, type SshPrivateReading } from '../../formats/ssh/ssh-private.js';
import { sshSign, sshVerify } from '../../formats/ssh/sshsig.js';
import { signatureNamespace } from '../../review/receipt/receipt.js';
import type { ReceiptSigner } from '../receipt-of-run.js';

/** A signer with a private SSH key. Problems: usage/unreadable-file, receipt/sign-key. */
export function readReceiptSigner(path: string): Result<ReceiptSigner> {
  const text = readNamedText('--sign-key', path);
  if (!text.ok) return text;
  const read = readSshPrivate(text.value);
  if (!read.ok) {
    const { message, hint } = faults[read.fault];
    return failure(problem('receipt/sign-key', `--sign-key ${message}`, { hint }));
  }
  return success({
    sign: (receipt) => sshSign(read, receipt, signatureNamespace),
    isSigned: (receipt, signature) => {
      const verdict = sshVerify(signature, receipt, signatureNamespace);
      return verdict.ok && verdict.publicBlob.equals(read.publicBlob);
    },
  });
}

const bySshKeygen = `omit --sign-key, and run ssh-keygen -Y sign -n ${signatureNamespace} -f KEY receipt.json`;

const faults: Readonly<
  Record<
    Extract<SshPrivateReading, { readonly ok: false }>['fault'],
    { readonly message: string; readonly hint: string }
  >
> = {
  encrypted: { message: 'has a passphrase, which is not supported here', hint: bySshKeygen },
  hardware: { message: 'is a hardware key, which is not supported here', hint: bySshKeygen },
  public: {
    message: 'is a public key; the private key is needed',
    hint: 'name the file without .pub; for a key in an agent, ' + bySshKeygen,
  },
  none: {
    message: 'is not an Ed25519, RSA or ECDSA private key',
    hint: 'create one with ssh-keygen -t ed25519',
  },
};
