import { isRecord } from '../core/is-record.js';
import { parseAddress } from '../formats/cidr.js';
import { parseJson } from '../formats/json.js';
import { readYaml } from '../formats/yaml/yaml.js';
import { toData } from '../formats/yaml/yaml-tree.js';
import { maskedValue } from './render-text.js';

/** Whether others have no permissions on a file of this mode. */
export function isPrivate(mode: number): boolean {
  return (mode & 0o007) === 0;
}

/**
 * Masks the text of a private file. `given` is the original; `text` is what would be shown if the file were public. Masks a text
 * of a single word, words as long as a key, named secrets, and lines without a recognizable meaning, as in .pgpass or
 * chap-secrets.
 */
export function maskPrivateText(text: string, given: string): string {
  if (/^\s*\S+\s*$/.test(text)) return isNoSecret(text.trim()) ? text : `${maskedValue}\n`;
  if (given.startsWith('#!')) return withoutKeys(text);
  return withoutKeys(withoutNamedSecrets(isSelfDescribing(given) ? text : withoutKeyLines(text)));
}

/** Masks the values of fields with secret-like names, except paths, numbers, booleans and values that are already masked. */
function withoutNamedSecrets(text: string): string {
  return text.replaceAll(
    /^([- \t]*(?:export )?["']?([\w.-]+)["']?([ \t]*=[ \t]*|:[ \t]+))(?!["']?(?:[/<|>{[]|["'],?$|true|false|\d+,?$|(?:ssh|ecdsa|sk)-))\S.*$/gm,
    (line, head: string, name: string, sign: string) =>
      (sign.startsWith(':') ? secretOfObject : secretOfLine).test(name) ? `${head}${maskedValue}` : line,
  );
}

/** In Kubernetes objects, `key` is a name, and `token` usually is too. */
const secretOfObject =
  /(?:^|[_.-]|[a-z](?=[A-Z]))(?:psk|pass|passwd|password|passphrase|secret|community)\d*$/i;
const secretOfLine = /psk|pass|secret|token|pin$|key\d*$|community/i;

/** Whether field names or commands explain the content. */
function isSelfDescribing(text: string): boolean {
  // `host : PSK "…"` of ipsec.secrets would otherwise parse as a field.
  if (/^[\w./-]+ +:/m.test(text)) return false;
  const { documents, faults } = readYaml(text);
  return (
    faults.length === 0 && documents.length > 0 && documents.map((each) => toData(each)).every(hasFields)
  );
}

function hasFields(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).every((name) => /^[\w./-]+$/.test(name));
}

function withoutKeyLines(text: string): string {
  return text
    .split('\n')
    .map((line) => (recognizableLines.some((each) => each.test(line)) ? line : maskedValue))
    .join('\n');
}

/** Lines with a recognizable meaning. */
const recognizableLines: readonly RegExp[] = [
  /^\s*(?:[#;].*)?$/, // a comment or an empty line
  /^\s*\[[\w .:"@/-]+\]\s*$/, // a section name
  /^\s*(?:export )?[\w.-]+(?:\s*=(?!=*\s*$)|:\s)/, // a field; a line whose only `=` is at its end may be base64
  /^\s*(?:<[^<>]+>|@@)/, // a masked fact or a placeholder
  /^\s*(?:ssh|ecdsa|sk)-\S+ [A-Za-z0-9+/]/, // an SSH public key
  /^\s*\/\S+\t\/\S+\t[\d-]*$/, // a table row of files and folders
  /^\s*[\w-]+\t[\w-]+\t\/(?:O|CN)=/, // a table row of certificate subjects
  /^(?:\d+|last)\t\d{4,}-[a-z0-9.-]+\.yaml\t/, // a row of the list of post-install objects
];

/** Masks words as long as a key. */
function withoutKeys(text: string): string {
  return text.replaceAll(keyLength, (word) => (isKeyLike(word) ? maskedValue : word));
}

/** Masked facts, compact JSON, URLs, IP addresses and placeholders. */
function isNoSecret(word: string): boolean {
  if (/^[{[]/.test(word)) return isRecord(parseJson(word));
  return /^(?:<[^<>]+>$|\w+:\/\/|@@)/.test(word) || parseAddress(word) !== undefined;
}

/** A word as long as a key, except an SSH public key after its type. */
const keyLength = /(?<![A-Za-z0-9+/_.-])(?<!\b(?:ssh|ecdsa|sk)-\S+ )[A-Za-z0-9+/]{32,}={0,2}(?![\w.-])/g;

/** Base64 keys mix lower case, upper case and digits. Paths, names and digests do not. */
function isKeyLike(word: string): boolean {
  return /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);
}
