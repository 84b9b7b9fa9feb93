import { problem, type Problem } from '../../core/problem.js';
import { printable } from '../../core/printable.js';
import { failure, success, type Result } from '../../core/result.js';
import { readRegularFile } from '../regular-file.js';
import type { ReadReceipt } from './read-receipt.js';
import { findSigner } from '../../formats/ssh/allowed-signers.js';
import { sshFields } from '../../formats/ssh/ssh-wire.js';
import { sshVerify } from '../../formats/ssh/sshsig.js';
import { sshFingerprint } from '../../review/inspection/ssh-fingerprint.js';
import { signatureNamespace, signatureSuffix } from './receipt.js';

/** Accepted signers. */
export interface AllowedSigners {
  /** Name in messages. */
  readonly file: string;
  readonly text: string;
  /** The required signer; if undefined, any in the file. */
  readonly signer?: string;
  readonly at: Date;
}

/** A valid signature. */
export interface Signature {
  /** Such as `ssh-ed25519 SHA256:…`. */
  readonly key: string;
  /** Owner of the key, if required. */
  readonly signer?: string;
}

const maxSignatureBytes = 64 * 1024;

/**
 * The signature of a receipt; undefined if there is none and none is required.
 * Problems: receipt/signature, receipt/signer.
 */
export function signatureBeside(
  { file, bytes }: ReadReceipt,
  allowed: AllowedSigners | undefined,
): Result<Signature | undefined> {
  const place = `${file}${signatureSuffix}`;
  const read = readRegularFile(place, maxSignatureBytes);
  if (read.kind === 'absent' && allowed === undefined) return success(undefined);
  if (read.kind === 'absent') return failure(bad(file, 'the receipt is not signed'));
  if (read.kind === 'unreadable') return failure(bad(place, `cannot read the signature: ${read.reason}`));
  const verdict = sshVerify(read.bytes.toString('utf8'), bytes, signatureNamespace);
  if (!verdict.ok) return failure(bad(place, `the signature is not valid: ${verdict.fault}`));
  const { publicBlob } = verdict;
  const type = sshFields(publicBlob)?.[0]?.toString('latin1') ?? '';
  const key = sshFingerprint(`${type} ${publicBlob.toString('base64')}`);
  if (allowed === undefined) return success({ key });
  const question = { publicBlob, namespace: signatureNamespace, at: allowed.at };
  const { signer } = allowed;
  const answer = findSigner(allowed.text, {
    ...question,
    ...(signer !== undefined && { principal: signer }),
  });
  if (answer.ok) return success({ key, signer: printable(signer ?? answer.principals) });
  const at = { file: allowed.file, ...(answer.line !== undefined && { line: answer.line, col: 1 }) };
  const message = `the signer is not allowed: ${answer.fault} (${key})`;
  return failure(problem('receipt/signer', message, { at }));
}

function bad(file: string, message: string): Problem {
  const hint = `use \`create … --sign-key FILE\` or: ssh-keygen -Y sign -n ${signatureNamespace} -f KEY receipt.json`;
  return problem('receipt/signature', message, { at: { file }, hint });
}
