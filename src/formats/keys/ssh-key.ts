import { sshFields } from '../ssh/ssh-wire.js';

/** A public key from one line of an authorized_keys file. */
export interface SshPublicKey {
  /** Such as `ssh-ed25519`; equals the type inside the key blob. */
  readonly type: string;
  readonly comment: string;
}

/** A public key, or the reason why a line is not valid. */
export type SshKeyReading =
  | { readonly ok: true; readonly key: SshPublicKey }
  /** Reason, as the end of a sentence. Never quotes the text, which may be a private key. */
  | { readonly ok: false; readonly fault: string };

/** A line of an authorized_keys file that is neither blank nor a comment. */
export interface SshKeyLine {
  /** Trimmed, with one space between its fields. */
  readonly text: string;
  /** Line number, from 0. */
  readonly textLine: number;
}

/** The lines with keys. Fields are separated by spaces or tabs. Source: sshd(8), AUTHORIZED_KEYS FILE FORMAT */
export function sshKeyLines(text: string): readonly SshKeyLine[] {
  return text
    .split(/\r?\n/)
    .map((line, textLine) => ({ text: fieldsOf(line).join(' '), textLine }))
    .filter(({ text: line }) => line !== '' && !line.startsWith('#'));
}

/** Parses one authorized_keys line (sshd(8)): options, type, base64 of the wire format (RFC 4253 §6.6), comment. */
export function parseSshKey(line: string): SshKeyReading {
  if (line.includes('PRIVATE KEY'))
    return { ok: false, fault: 'it is a private key; the public one ends in ".pub"' };
  if (line.includes('BEGIN '))
    return { ok: false, fault: 'it is in PEM form; write one line of an authorized_keys file' };
  const odd = /[^\S \t]|(?!\t)\p{Cc}|\ufeff/u.exec(line)?.[0];
  if (odd !== undefined)
    return { ok: false, fault: `it has the character ${codePoint(odd)}, expected a space or a tab` };
  const fields = fieldsOf(line);
  const at = fields.findIndex((field) => partsOf.has(field));
  const type = fields[at];
  if (type === undefined || at > 1)
    return { ok: false, fault: 'it does not start with a key type such as ssh-ed25519' };
  const fault = wireFault(type, fields[at + 1] ?? '');
  return fault === undefined
    ? { ok: true, key: { type, comment: fields.slice(at + 2).join(' ') } }
    : { ok: false, fault };
}

/** Fields after the type in the wire format. Sources: RFC 4253 §6.6, 5656 §3.1, 8709 §4, openssh PROTOCOL.u2f. */
type Part = 'number' | 'curve' | 'point' | 'key32' | 'application';

const partsOf: ReadonlyMap<string, readonly Part[]> = new Map<string, readonly Part[]>([
  ['ssh-rsa', ['number', 'number']],
  ['ssh-dss', ['number', 'number', 'number', 'number']],
  ['ecdsa-sha2-nistp256', ['curve', 'point']],
  ['ecdsa-sha2-nistp384', ['curve', 'point']],
  ['ecdsa-sha2-nistp521', ['curve', 'point']],
  ['ssh-ed25519', ['key32']],
  ['sk-ssh-ed25519@openssh.com', ['key32', 'application']],
  ['sk-ecdsa-sha2-nistp256@openssh.com', ['curve', 'point', 'application']],
]);

/** Length of an uncompressed point of a curve (SEC 1 §2.3.3). */
const pointBytes: Readonly<Record<string, number>> = { nistp256: 65, nistp384: 97, nistp521: 133 };

/** Splits at spaces and tabs outside of double quotes, since options such as `command="a b"` contain spaces. */
function fieldsOf(line: string): readonly string[] {
  return line.match(/(?:[^ \t"]|"(?:\\.|[^"\\])*"?)+/g) ?? [];
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function wireFault(type: string, base64: string): string | undefined {
  if (base64 === '') return 'the key itself is missing after its type';
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) {
    return 'the key is not whole base64; was it cut off or broken over two lines?';
  }
  const fields = sshFields(Buffer.from(base64, 'base64'));
  if (!fields) return 'the key is cut off';
  if (fields[0]?.toString('latin1') !== type) return `the key inside is of another type than ${type}`;
  const parts = partsOf.get(type) ?? [];
  const isWhole =
    fields.length === parts.length + 1 && parts.every((part, at) => hasForm(part, fields[at + 1], type));
  return isWhole ? undefined : `the key inside is not a whole ${type} key`;
}

function hasForm(part: Part, field: Buffer | undefined, type: string): boolean {
  if (!field || field.length === 0) return false;
  const curve = /nistp\d+/.exec(type)?.[0] ?? '';
  switch (part) {
    case 'number':
    case 'application':
      return true;
    case 'key32':
      return field.length === 32;
    case 'curve':
      return field.toString('latin1') === curve;
    case 'point':
      return field.length === pointBytes[curve] && field[0] === 4;
  }
}
