import { isRecord } from '../core/is-record.js';
import { parseAddress } from '../formats/cidr.js';
import { parseJson } from '../formats/json.js';
import { readYaml } from '../formats/yaml/yaml.js';
import { toData } from '../formats/yaml/yaml-tree.js';
import { hidden } from './readable.js';

/** Whether not everybody may read a file of that mode: nobody but its owner, or a group beside. */
export function isPrivate(mode: number): boolean {
  return (mode & 0o007) === 0;
}

/**
 * What of a file for its owner alone may be shown: `text` is what is shown of it where everybody may read it, `given` what it holds. One word
 * is hidden, words of a key's length are, and so is every line that does not say what it holds, as in .pgpass or chap-secrets.
 */
export function privateText(text: string, given: string): string {
  if (/^\s*\S+\s*$/.test(text)) return isNoSecret(text.trim()) ? text : `${hidden}\n`;
  if (given.startsWith('#!')) return withoutKeys(text);
  return withoutKeys(withoutNamedSecrets(saysWhatItHolds(given) ? text : withoutBareLines(text)));
}

/** The values of fields that are called after a secret; a path or a fact in the place of a text is none. */
function withoutNamedSecrets(text: string): string {
  return text.replaceAll(
    /^([- \t]*(?:export )?["']?([\w.-]+)["']?([ \t]*=[ \t]*|:[ \t]+))(?!["']?(?:[/<|>{[]|["'],?$|true|false|\d+,?$|(?:ssh|ecdsa|sk)-))\S.*$/gm,
    (line, head: string, name: string, sign: string) =>
      (sign.startsWith(':') ? secretOfObject : secretOfLine).test(name) ? `${head}${hidden}` : line,
  );
}

/** In objects of Kubernetes a `key` is a name, and a token most often one too. */
const secretOfObject =
  /(?:^|[_.-]|[a-z](?=[A-Z]))(?:psk|pass|passwd|password|passphrase|secret|community)\d*$/i;
const secretOfLine = /psk|pass|secret|token|pin$|key\d*$|community/i;

/** Whether the names of its fields, or its commands, tell what a text is about. */
function saysWhatItHolds(text: string): boolean {
  // `host : PSK "…"` of ipsec.secrets would be a field, too.
  if (/^[\w./-]+ +:/m.test(text)) return false;
  const { documents, faults } = readYaml(text);
  return (
    faults.length === 0 && documents.length > 0 && documents.map((each) => toData(each)).every(hasFields)
  );
}

function hasFields(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).every((name) => /^[\w./-]+$/.test(name));
}

function withoutBareLines(text: string): string {
  return text
    .split('\n')
    .map((line) => (telling.some((each) => each.test(line)) ? line : hidden))
    .join('\n');
}

/** Lines of which a reader sees what they are. */
const telling: readonly RegExp[] = [
  /^\s*(?:[#;].*)?$/, // a comment, or nothing
  /^\s*\[[\w .:"@/-]+\]\s*$/, // the name of a section
  /^\s*(?:export )?[\w.-]+(?:\s*=(?!=*\s*$)|:\s)/, // a field; what ends in `=` alone is base64
  /^\s*(?:<[^<>]+>|@@)/, // a fact in the place of a text, a placeholder
  /^\s*(?:ssh|ecdsa|sk)-\S+ [A-Za-z0-9+/]/, // a public key of SSH
  /^\s*\/\S+\t\/\S+\t[\d-]*$/, // a row of files and folders
  /^\s*[\w-]+\t[\w-]+\t\/(?:O|CN)=/, // a row of subjects of certificates
];

/** In a longer text a word of a key's length may be one. */
function withoutKeys(text: string): string {
  return text.replaceAll(keyLength, (word) => (isKeyLike(word) ? hidden : word));
}

/** A fact, JSON without blanks, a URL, an address, a placeholder. */
function isNoSecret(word: string): boolean {
  if (/^[{[]/.test(word)) return isRecord(parseJson(word));
  return /^(?:<[^<>]+>$|\w+:\/\/|@@)/.test(word) || parseAddress(word) !== undefined;
}

/** A word as long as a key, but for public keys of SSH, which stand behind their type. */
const keyLength = /(?<![A-Za-z0-9+/_.-])(?<!\b(?:ssh|ecdsa|sk)-\S+ )[A-Za-z0-9+/]{32,}={0,2}(?![\w.-])/g;

/** Characters of a key in base64, which mix all kinds; paths, names and digests do not. */
function isKeyLike(word: string): boolean {
  return /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);
}
