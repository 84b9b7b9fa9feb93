import { join } from 'node:path';

import { publicFile, type OutputFile } from '../../core/output-file.js';
import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { sha256 } from '../../formats/sha256.js';
import { readSshPrivate, type SshPrivateReading } from '../../formats/ssh/ssh-private.js';
import { sshSign, sshVerify } from '../../formats/ssh/sshsig.js';
import { readNamedText } from '../named-file.js';
import { readInput } from '../read-inputs.js';
import { receiptName, signatureNamespace, signatureSuffix } from './receipt.js';

export interface ReceiptSigner {
  /** A signature in the format of `ssh-keygen -Y sign`; some key types give another one each time. */
  readonly sign: (receipt: Uint8Array) => string;
  /** Whether the text is a signature of the receipt by this key. */
  readonly isSigned: (receipt: Uint8Array, signature: string) => boolean;
}

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

/** File name of the receipt's signature. */
export const signatureName = `${receiptName}${signatureSuffix}`;

/**
 * The signature for a receipt. An existing one is kept if it is valid: without a signer, if it is ours and for these bytes; with a signer,
 * if it is by its key.
 */
export function signatureOf(
  { contents }: OutputFile,
  {
    dir,
    written,
    signer,
  }: {
    readonly dir: string;
    readonly written: Readonly<Record<string, string>>;
    readonly signer?: ReceiptSigner;
  },
): OutputFile | undefined {
  const bytes = Buffer.from(contents);
  const there = bytesIn(dir, signatureName);
  const text = there && Buffer.from(there).toString('utf8');
  const isOurs = there !== undefined && written[signatureName] === sha256(there);
  const holds =
    signer === undefined
      ? isOurs && written[receiptName] === sha256(bytes)
      : text !== undefined && signer.isSigned(bytes, text);
  if (holds && text !== undefined) return publicFile(signatureName, text);
  return signer && publicFile(signatureName, signer.sign(bytes));
}

/**
 * Warns of a signature that a run of ours did not write, next to a receipt that changes: it is kept but does not match the new receipt.
 * Warnings: receipt/stale-signature.
 */
export function staleSignature(
  { contents }: OutputFile,
  { dir, written }: { readonly dir: string; readonly written: Readonly<Record<string, string>> },
): readonly Problem[] {
  const [receipt, signature] = [receiptName, signatureName].map((name) => bytesIn(dir, name));
  if (signature === undefined || written[signatureName] === sha256(signature)) return [];
  if (receipt !== undefined && Buffer.from(contents).equals(receipt)) return [];
  const message = `${signatureName} belongs to an earlier ${receiptName} and was kept, because sno-install did not create it`;
  const hint = 'sign the receipt again, or delete the signature';
  return [problem('receipt/stale-signature', message, { at: { file: signatureName }, hint })];
}

/** Whether the directory's receipt is signed by the requested key; true without a signer. */
export function isSignatureCurrent(dir: string, signer: ReceiptSigner | undefined): boolean {
  if (signer === undefined) return true;
  const [receipt, signature] = [receiptName, signatureName].map((name) => bytesIn(dir, name));
  return (
    receipt !== undefined &&
    signature !== undefined &&
    signer.isSigned(receipt, Buffer.from(signature).toString('utf8'))
  );
}

/** Limit for receipts and signatures. */
const maxSignatureBytes = 1024 * 1024;

function bytesIn(dir: string, name: string): Uint8Array | undefined {
  const read = readInput(join(dir, name), maxSignatureBytes);
  return read.kind === 'file' ? read.bytes : undefined;
}
