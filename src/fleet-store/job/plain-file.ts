import { posix } from 'node:path';

import { namesSecret, withoutSecrets } from '../../core/secrets.js';
import { decodeDataUrl } from '../../formats/data-url.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { toData } from '../../formats/yaml/yaml-tree.js';
import { isRecord } from '../../kube/fields.js';
import { isPrivate } from '../../review/private-text.js';

/** Files whose fields are known. What lies beside them may hold anything: manifests, keys, the files of an image. */
const configNames = new Set(['install-config.yaml', 'sno-config.yaml']);

/**
 * Whether anybody may read a file of a fleet: fleet.yaml, its table or a config, of whose documents nothing is, or may be, a secret.
 * Of any other file nobody can tell, nor of what cannot be read whole.
 */
export function isPlainFile({
  path,
  text,
  role,
}: {
  readonly path: string;
  readonly text: string;
  readonly role: 'fleet' | 'table' | 'site';
}): boolean {
  if (role === 'site' && !configNames.has(posix.basename(path))) return false;
  if (withoutSecrets(text) !== text || commentOfSecret.test(text)) return false;
  if (role === 'table' && !/\.(?:ya?ml|json)$/i.test(path)) return !namesSecret(text);
  const { documents, faults } = readYaml(text);
  const values = documents.map((each) => toData(each));
  const isKnown = role !== 'table' || values.every(isOfTable);
  return faults.length === 0 && isKnown && values.every((value) => isPlain(value, 0));
}

/** A list of sites, or a ClusterInstance; beside those lie other objects. */
function isOfTable(value: unknown): boolean {
  return Array.isArray(value) || (isRecord(value) && value['kind'] === 'ClusterInstance');
}

/** A comment that says what a secret is. */
const commentOfSecret =
  /#.*(?:auth|pass|secret|token|key|credential|private|login|pwd?|psk|pin)\w*["']?\s*[:=]\s*\S/i;

/** As deep as texts are looked into that stand in texts. */
const deepest = 8;

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isPlainText(value, depth);
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth));
  if (!isRecord(value)) return true;
  if (isOfSecret(value['kind']) || isPrivateMode(value['mode'])) return false;
  return Object.entries(value).every(([name, member]) =>
    isSecretField(name, member) ? false : isPlainText(name, depth) && isPlain(member, depth),
  );
}

/** A kind that is put together from variables may be one as well. */
function isOfSecret(kind: unknown): boolean {
  return typeof kind === 'string' && /Secret|\$\{/.test(kind);
}

/** YAML has modes in octal, JSON in decimal numbers; a text may be either. */
function isPrivateMode(mode: unknown): boolean {
  const bits = typeof mode === 'string' ? [parseInt(mode.replace('0o', ''), 8), Number(mode)] : [mode];
  return bits.some((each) => typeof each === 'number' && (Number.isNaN(each) || isPrivate(each)));
}

/** A name that speaks of a secret, unless its value only says where that lies, or whether there is one. */
function isSecretField(name: string, value: unknown): boolean {
  if (!namesSecret(name) || /(?:File|Files|Ref|Name)$/.test(name)) return false;
  return value !== null && value !== '' && typeof value !== 'boolean';
}

function isPlainText(text: string, depth: number): boolean {
  if (withoutSecrets(text) !== text || /\bauths?\\*["']/.test(text)) return false;
  if (/^\s*data:/.test(text)) {
    const decoded = decodeDataUrl(text.trim());
    return decoded !== undefined && isPlainText(decoded.toString('utf8'), depth + 1);
  }
  if (!/[\n=]|:\s|^\s*[{[?&!]/.test(text)) return true;
  return !text.split('\n').some(namesSecret) && isPlainWithin(text, depth);
}

/** What is no YAML is words, each line of which was judged. */
function isPlainWithin(text: string, depth: number): boolean {
  const { documents, faults } = readYaml(text);
  if (faults.length > 0) return !/kind|mode/.test(text);
  const values = documents.map((each) => toData(each)).filter((value) => value !== text.trim());
  return depth < deepest && values.every((value) => isPlain(value, depth + 1));
}
