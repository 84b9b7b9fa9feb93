import { matchesPatterns } from './ssh-patterns.js';
import { readSignerOptions, type SignerOptions } from './signer-options.js';

/** Who is asked for. */
export interface SignerQuestion {
  readonly publicBlob: Buffer;
  readonly namespace: string;
  readonly at: Date;
  /** Whose key it is to be; anybody's of the file where there is none. */
  readonly principal?: string;
}

/** Whose key it is, by the line that says so. */
export type SignerAnswer =
  | { readonly ok: true; readonly principals: string }
  /** The end of a sentence, and the line (from 1) that it is about. */
  | { readonly ok: false; readonly fault: string; readonly line?: number };

/**
 * Looks for a key in a file of allowed signers as `ssh-keygen -Y verify` does: the first line that allows it decides, lines that cannot be
 * read are passed over; where none allows it, the last that is about it says why. Source: ssh-keygen(1), ALLOWED SIGNERS, and openssh-portable sshsig.c
 */
export function findSigner(text: string, question: SignerQuestion): SignerAnswer {
  let refusal: SignerAnswer = { ok: false, fault: 'its key is not among the allowed signers' };
  for (const [index, line] of text.split('\n').entries()) {
    const answer = answerOf(line.replace(/\r$/, ''), question);
    if (answer === undefined) continue;
    if (answer.ok) return answer;
    refusal = { ...answer, line: index + 1 };
  }
  return refusal;
}

/** What a line says of the key; undefined of one that says nothing of it. */
function answerOf(line: string, question: SignerQuestion): SignerAnswer | undefined {
  const text = line.replace(/^[ \t]+/, '');
  if (text === '' || text.startsWith('#')) return undefined;
  const split = /^(?:"([^"]*)"|([^ \t"]+))(?:[ \t]+(.*))?$/.exec(text);
  if (split === null) return refused('the principals are not closed by a quote');
  const [, quotedNames, names = quotedNames ?? '', rest = ''] = split;
  const { principal } = question;
  if (principal !== undefined && !matchesPatterns(principal, names)) return undefined;
  const parsed = keyAndOptions(rest);
  if (typeof parsed === 'string') return refused(parsed);
  const { blob, options } = parsed;
  // The key of an authority is nobody's own.
  if (options.isAuthority || !blob.equals(question.publicBlob)) return undefined;
  return refusalBy(options, question) ?? { ok: true, principals: names };
}

function refused(fault: string): SignerAnswer {
  return { ok: false, fault };
}

function refusalBy(options: SignerOptions, { namespace, at }: SignerQuestion): SignerAnswer | undefined {
  const { namespaces, validAfter, validBefore } = options;
  if (namespaces !== undefined && !matchesPatterns(namespace, namespaces))
    return { ok: false, fault: `its key may not sign for ${namespace}` };
  if (validAfter !== undefined && at < validAfter) return { ok: false, fault: 'its key is not valid yet' };
  return validBefore !== undefined && at > validBefore
    ? { ok: false, fault: 'its key is no longer valid' }
    : undefined;
}

/** The key behind the principals, before which options may stand; else what is wrong. */
function keyAndOptions(rest: string): { readonly blob: Buffer; readonly options: SignerOptions } | string {
  const alone = keyIn(rest);
  if (alone !== undefined) return { blob: alone, options: { isAuthority: false } };
  const [optionText = ''] = /^(?:[^ \t"]|"(?:\\"|[^"])*")*/.exec(rest) ?? [];
  const blob = keyIn(rest.slice(optionText.length).replace(/^[ \t]+/, ''));
  if (blob === undefined) return 'there is no public key in it';
  const options = readSignerOptions(optionText);
  return typeof options === 'string' ? options : { blob, options };
}

/** A type and a key in base64, whose own type is the same. */
function keyIn(text: string): Buffer | undefined {
  const [, type = '', base64 = ''] =
    /^([a-z][\w@.-]*)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]|$)/.exec(text) ?? [];
  const blob = Buffer.from(base64, 'base64');
  if (blob.length < 4) return undefined;
  const inner = blob.subarray(4, 4 + blob.readUInt32BE(0)).toString('latin1');
  return inner === type ? blob : undefined;
}
