import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import { success, type Result } from '../../core/result.js';
import { authSecretPattern, clearKeyPattern, urlPasswordPattern } from '../../core/secrets.js';
import { isAge } from '../../formats/age.js';
import { filesBelow } from '../files-below.js';
import { receiptName } from '../receipt/receipt.js';
import { readBelow } from '../regular-file.js';

/**
 * Files of a site's directory with secrets in plain text: configs, manifests and referenced files that contain them, Ignition configs,
 * `auth/`, and media. Relative to the directory, sorted; the files of a network boot are one folder. Problems: usage/unreadable-file.
 */
export function plainSecretFiles(dir: string): Result<readonly string[]> {
  const found = filesBelow(dir, isOfUser);
  if (!found.ok) return found;
  const paths = found.value.paths.map((path) => ({ path, name: relative(dir, path) }));
  const secret = paths.filter(({ path, name }) => isMedium(path) || hasPlainSecrets(dir, name));
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
  return secretPatterns.some((pattern) => pattern.test(text));
}

/** Far above any config. Boot images are larger and have receipts. */
const maxBytes = 16 * 1024 * 1024;

/**
 * A password of 802.1X or Wi-Fi in nmstate files and NetworkManager profiles, or of a BMC. Variables, references, booleans and empty
 * values do not match. Names: nmstate `802.1x`; NetworkManager nm-settings-keyfile(5).
 */
const networkPasswordPattern =
  /(?:^|[\n{,])[ \t-]*["']?(?:\w[\w.-]*)?(?:password|passwd|passphrase|psk|wep-key[0-3])["']?[ \t]*[:=][ \t]*(?!""|''|["']?(?:[\s,}$<{[&*#!]|$|(?:true|false|null|~)["']?[ \t]*(?:[,}#\r\n]|$)))/i;

/** Registry credentials, private keys, passwords of URLs and networks, and Secrets in YAML or JSON. */
const secretPatterns = [
  authSecretPattern,
  clearKeyPattern,
  urlPasswordPattern,
  networkPasswordPattern,
  /AGE-SECRET-KEY-(?:PQ-)?1/,
  /(?:^|[\n{,])[ \t-]*["']?kind["']?[ \t]*:[ \t]*["']?Secret["']?[ \t]*(?=[,}\r\n#]|$)/,
];
