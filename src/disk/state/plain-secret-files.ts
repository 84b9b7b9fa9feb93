import { existsSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import { success, type Result } from '../../core/result.js';
import { authSecretPattern, clearKeyPattern, urlPasswordPattern } from '../../core/secrets.js';
import { isAge } from '../../formats/age.js';
import { readCsv } from '../../formats/table/csv.js';
import { filesBelow } from '../files-below.js';
import { receiptName } from '../receipt/receipt.js';
import { readBelow } from '../regular-file.js';

/**
 * Files of a site's directory with secrets in plain text: configs, manifests, tables and referenced files that contain them, passphrases,
 * Ignition configs, `auth/`, and media. `passphraseFile` is that of this run. Relative to the directory, sorted; the files of a network
 * boot are one folder. Problems: usage/unreadable-file.
 */
export function plainSecretFiles(dir: string, passphraseFile?: string): Result<readonly string[]> {
  const found = filesBelow(dir, isOfUser);
  if (!found.ok) return found;
  const paths = found.value.paths.map((path) => ({ path, name: relative(dir, path) }));
  const ofRun = passphraseFile === undefined ? undefined : resolve(passphraseFile);
  const secret = paths.filter(
    ({ path, name }) => resolve(path) === ofRun || isMedium(path) || hasPlainSecrets(dir, name),
  );
  const folders = paths.flatMap(({ name }) => mediaFolder(dir, name) ?? []);
  const files = secret.flatMap(({ name }) => (mediaFolder(dir, name) === undefined ? [name] : []));
  return success([...new Set([...folders, ...files])].toSorted(byCodeUnit));
}

/** Whether a hidden file is neither Git's nor a record of this program. */
function isOfUser(name: string): boolean {
  return name !== '.git' && !name.startsWith('.sno-install');
}

/** The folder of a network boot that contains a file, as `pxe/`. Its files contain the Ignition config. */
function mediaFolder(dir: string, name: string): string | undefined {
  const [folder = '', ...rest] = name.split('/');
  return rest.length > 0 && isMedium(join(dir, folder)) ? `${folder}/` : undefined;
}

/** Whether a receipt beside a file or a folder describes it as a medium. */
function isMedium(path: string): boolean {
  return existsSync(`${path}.${receiptName}`);
}

function hasPlainSecrets(dir: string, name: string): boolean {
  const read = readBelow(dir, name, maxBytes);
  // A file that is too large to read is judged by its name.
  const bytes = read.kind === 'file' ? Buffer.from(read.bytes) : Buffer.alloc(0);
  if (isAge(bytes)) return false;
  if (name.endsWith('.ign') || name.startsWith('auth/')) return true;
  const text = bytes.toString('utf8');
  if (/\.[ct]sv$/i.test(name)) return hasSecretColumn(text);
  return isPassphrase(basename(name), text) || secretPatterns.some((pattern) => pattern.test(text));
}

const secretNoun =
  'pass(?:word|wd|phrase|code|wort)|kennwort|pwd?|psk|pin|pass|secret|token|credentials?|(?:private|api|access)[ _-]?key';

/** The last word of a column's name, as in `bmcPassword` or `BMC password (iDRAC)`; not `passwordFile`. */
const secretColumn = new RegExp(`(?:^|[\\s_.-])(?:${secretNoun})(?:[\\s_.-]*\\d+)?\\s*(?:\\(.*\\))?$`, 'i');

/** Whether a table has a column of secrets with a value that is no placeholder. */
function hasSecretColumn(text: string): boolean {
  const reading = readCsv(text);
  const [head = [], ...rows] = reading.ok ? reading.records : [];
  if (!reading.ok) return secretPatterns.some((pattern) => pattern.test(text));
  const isSecret = head.map((cell) => secretColumn.test(inWords(cell.text)));
  const isValue = (cell: string): boolean => !/^(?:$|\$|<|-+$|n\/?a$|age1)/i.test(cell);
  return (
    rows.some((cells) => cells.some((cell, index) => isSecret[index] === true && isValue(cell.text))) ||
    secretPatterns.some((pattern) => pattern !== networkPasswordPattern && pattern.test(text))
  );
}

/** `bmcPassword` as `bmc Password`. */
function inWords(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ');
}

/** File names without an ending of a program or a document, such as `passphrase` or `.bmc-password.txt`. */
const passphraseName = new RegExp(
  `(?:^|[\\s_.-])(?:pass(?:word|wd|phrase|code|wort)s?|kennwort|pwd?|secret|token)(?:\\.(?:txt|key|secret|old|bak|\\d+))?~?$`,
  'i',
);

/** Whether a file contains one line, and its name says that this is a passphrase. Hashes and references are none. */
function isPassphrase(name: string, text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return passphraseName.test(inWords(name)) && lines.length === 1 && !/^\s*(?:[$<#]|#!)/.test(lines[0] ?? '');
}

/** Far above any config. Boot images are larger and have receipts. */
const maxBytes = 16 * 1024 * 1024;

/**
 * A password of 802.1X or Wi-Fi in nmstate files and NetworkManager profiles, or of a BMC. Variables, references, booleans and empty
 * values do not match. Names: nmstate `802.1x`; NetworkManager nm-settings-keyfile(5).
 */
const networkPasswordPattern =
  /(?:^|[\n{,])[ \t-]*(?:export[ \t]+)?["']?(?:\w[\w.-]*)?(?:password(?:-raw)?|passwd|passphrase|psk|wep-key[0-3])["']?[ \t]*[:=][ \t]*(?!""|''|["']?(?:[\s,}$<{[&*#!]|$|(?:true|false|null|~)["']?[ \t]*(?:[,}#\r\n]|$)))/i;

/** Keys of WireGuard and MACsec in nmstate files and NetworkManager profiles. Source: nm-settings-keyfile(5), mka-cak and private-key */
const networkKeyPattern =
  /(?:^|[\n{,])[ \t-]*["']?(?:mka-cak|(?:pre-?shared|private)-key)["']?[ \t]*[:=][ \t]*["']?(?:[0-9a-f]{32}|[a-z0-9+/]{43}=)/i;

/** A login of .netrc, which is read by curl and Git. Source: curl's documentation of --netrc */
const netrcPattern = /(?:^|\n)[ \t]*(?:machine[ \t]+\S+|default)\s(?:[^\n]*\n){0,3}?[^\n]*\bpassword[ \t]+\S/;

/** Registry credentials, private keys, passwords of URLs and networks, and Secrets in YAML or JSON. */
const secretPatterns = [
  authSecretPattern,
  clearKeyPattern,
  urlPasswordPattern,
  networkPasswordPattern,
  networkKeyPattern,
  netrcPattern,
  /AGE-SECRET-KEY-(?:PQ-)?1/,
  /(?:^|[\n{,])[ \t-]*["']?kind["']?[ \t]*:[ \t]*["']?Secret["']?[ \t]*(?=[,}\r\n#]|$)/,
];
