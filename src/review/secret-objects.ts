import { isRecord } from '../core/is-record.js';
import { withoutSecrets } from '../core/secrets.js';
import { textAt } from '../kube/fields.js';
import { isDataUrl } from '../formats/data-url.js';
import { parseJson } from '../formats/json.js';
import { readYaml } from '../formats/yaml/yaml.js';
import { toData } from '../formats/yaml/yaml-tree.js';
import { writeYaml } from '../formats/yaml/write-yaml.js';
import { isPrivate, privateText } from './private-text.js';
import { deepest, hidden, isPem, readable, shownDataUrl } from './readable.js';

/**
 * A text as a person reviews it. Of manifests with a Secret its values are hidden, but for what may be shown of certificates, keys,
 * kubeconfigs, registry logins and Ignition configs. YAML and JSON with data URLs stay what they are: what is in one stands in its
 * place as a text of several lines.
 */
export function readableManifest(text: string, depth = 0): string {
  const plain = (): string => readable(text, depth, readableManifest);
  if (depth > deepest || !(mayNameSecret.test(text) || /["'\s]data:/.test(text))) return plain();
  const { documents, faults } = readYaml(text);
  if (faults.length > 0) return namesSecret.test(text) ? unreadable : plain();
  const values = documents.map((document) => toData(document));
  if (!values.some((value) => holds(value, hasSecret, isMoreThanText(depth)))) return plain();
  if (/^\s*[{[]/.test(text)) return `${JSON.stringify(masked(values[0], { depth }), undefined, 2)}\n`;
  return values.map((value) => writeYaml(masked(value, { depth }))).join('---\n');
}

/** The kind of an object, spelled out, by escapes, or elsewhere in the text. */
const mayNameSecret = /Secret|passwordHash|\\[ux]|kind["']?\s*:\s*[*&!]/;
const namesSecret = /kind\\?["']?\s*:\s*(?:\\?["']?\s*Secret(?:List)?\b|[*&!]|["'].*\\[ux])/;

const unreadable = '<a manifest that cannot be read and may hold a Secret>\n';

/** Whether a document, in its maps and lists, has such a map or such a text. */
function holds(
  value: unknown,
  isWantedMap: (map: Readonly<Record<string, unknown>>) => boolean,
  isWantedText: (text: string) => boolean,
): boolean {
  if (typeof value === 'string') return isWantedText(value);
  const within = (member: unknown): boolean => holds(member, isWantedMap, isWantedText);
  if (Array.isArray(value)) return value.some(within);
  return isRecord(value) && (isWantedMap(value) || Object.values(value).some(within));
}

/** Whether a text of a manifest is shown by what is in it: a data URL, or a manifest with a Secret, as a ConfigMap may have one. */
function isMoreThanText(depth: number): (text: string) => boolean {
  return (text) => isDataUrl(text) || holdsSecret(text, depth + 1);
}

function holdsSecret(text: string, depth: number): boolean {
  if (!mayNameSecret.test(text)) return false;
  const { documents, faults } = readYaml(text);
  if (faults.length > 0) return namesSecret.test(text);
  // What stays itself when it is read is words, and no manifest.
  const values = documents.map((document) => toData(document)).filter((value) => value !== text.trim());
  return depth > deepest || values.some((value) => holds(value, hasSecret, isMoreThanText(depth)));
}

/** A Secret, or a list of them, whose items need not say what they are. */
function isSecret(value: Readonly<Record<string, unknown>>): boolean {
  return ['Secret', 'SecretList'].includes(textAt(value, ['kind']) ?? '');
}

/** A map of which something is hidden by its name or kind. */
function hasSecret(value: Readonly<Record<string, unknown>>): boolean {
  return isSecret(value) || 'passwordHash' in value;
}

/** Where a value stands. */
interface Place {
  /** In how many texts within texts. */
  readonly depth: number;
  /** Below a list of Secrets, whose items need not say what they are. */
  readonly isOfSecret?: boolean;
  /** In the entry of a file that its owner alone may read, as a MachineConfig has. */
  readonly isOfPrivateFile?: boolean;
}

function masked(value: unknown, above: Place): unknown {
  if (typeof value === 'string') return shownOfField(value, above);
  if (Array.isArray(value)) return value.map((item) => masked(item, above));
  if (!isRecord(value)) return value;
  const place = isPrivateFile(value) ? { ...above, isOfPrivateFile: true } : above;
  const isOfSecret = place.isOfSecret === true || isSecret(value);
  const secretValue = (member: unknown): unknown => shownOfText(member, place);
  const encodedValue = (member: unknown): unknown =>
    secretValue(typeof member === 'string' ? Buffer.from(member, 'base64').toString('utf8') : member);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (isOfSecret && name === 'data') return [name, mapValues(member, encodedValue)];
      if (isOfSecret && name === 'stringData') return [name, mapValues(member, secretValue)];
      const below = { ...place, isOfSecret: isOfSecret && name === 'items' };
      return [name, isSecretField(name, member) ? hidden : masked(member, below)];
    }),
  );
}

/** A text of a map or list; a Secret that was applied has itself in an annotation. */
function shownOfField(text: string, { depth, isOfPrivateFile }: Place): string {
  if (isDataUrl(text)) {
    const shown = (inner: string): string => readableManifest(inner, depth + 1);
    return shownDataUrl(text, (inner) => (isOfPrivateFile ? privateText(shown(inner), inner) : shown(inner)));
  }
  if (holdsSecret(text, depth)) return readableManifest(text, depth + 1);
  return /["'](?:data|stringData)["']\s*:/.test(text) ? hidden : readable(text, depth, readableManifest);
}

/** Files of Ignition are private by their mode. Source: coreos.github.io/ignition/configuration-v3_2 */
function isPrivateFile({ path, mode }: Readonly<Record<string, unknown>>): boolean {
  return typeof path === 'string' && typeof mode === 'number' && isPrivate(mode);
}

/** Whether a field holds a secret by its name. */
function isSecretField(name: string, value: unknown): boolean {
  if (name === 'passwordHash' && typeof value === 'string') return true;
  const line = `${name}: ${String(value)}`;
  return typeof value === 'string' && !value.includes('\n') && withoutSecrets(line) === `${name}: [redacted]`;
}

function mapValues(value: unknown, change: (member: unknown) => unknown): unknown {
  if (!isRecord(value)) return value === null ? value : hidden;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
}

/** What of a Secret's value may be shown. */
function shownOfText(value: unknown, { depth }: Place): unknown {
  if (typeof value !== 'string') return hidden;
  if (/^(?:true|false)?\s*$/.test(value)) return value;
  if (isPem(value)) return readable(value).trim();
  const logins = registriesIn(value);
  if (logins !== undefined) return `<pull secret of ${logins.join(', ')}>`;
  return isKubeconfig(value) || isIgnition(value) ? readable(value, depth + 1, readableManifest) : hidden;
}

/** The registries of a pull secret; undefined for anything else. */
function registriesIn(text: string): readonly string[] | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || !isRecord(value['auths'])) return undefined;
  return Object.keys(value['auths']).map((name) => readable(name));
}

function isKubeconfig(text: string): boolean {
  if (!/\bkind["']?:\s*["']?Config\b/.test(text)) return false;
  const [document] = readYaml(text).documents;
  return document !== undefined && textAt(toData(document), ['kind']) === 'Config';
}

function isIgnition(text: string): boolean {
  return textAt(parseJson(text), ['ignition', 'version']) !== undefined;
}
