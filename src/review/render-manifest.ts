import { isRecord } from '../core/is-record.js';
import { redactSecrets } from '../core/secrets.js';
import { textAt } from '../kube/fields.js';
import { isDataUrl } from '../formats/data-url.js';
import { parseJson } from '../formats/json.js';
import { readYaml } from '../formats/yaml/yaml.js';
import { toData } from '../formats/yaml/yaml-tree.js';
import { writeYaml } from '../formats/yaml/write-yaml.js';
import { isPrivate, maskPrivateText } from './private-text.js';
import { maxNesting, maskedValue, isPem, renderText, shownDataUrl } from './render-text.js';

/**
 * Renders a text for review. In manifests with a Secret, masks its values except for facts about certificates, keys, kubeconfigs,
 * registry logins and Ignition configs. YAML and JSON with data URLs stay valid: the decoded content replaces the URL as a
 * multi-line string.
 */
export function renderManifest(text: string, depth = 0): string {
  const plain = (): string => renderText(text, depth, renderManifest);
  if (depth > maxNesting || !(mayNameSecret.test(text) || /["'\s]data:/.test(text))) return plain();
  const { documents, faults } = readYaml(text);
  if (faults.length > 0) return namesSecret.test(text) ? unreadable : plain();
  const values = documents.map((document) => toData(document));
  if (!values.some((value) => holds(value, hasSecret, isMoreThanText(depth)))) return plain();
  if (/^\s*[{[]/.test(text)) return `${JSON.stringify(masked(values[0], { depth }), undefined, 2)}\n`;
  return values.map((value) => writeYaml(masked(value, { depth }))).join('---\n');
}

/** The kind of an object, written plainly, with escapes, or as a YAML alias, anchor or tag. */
const mayNameSecret = /Secret|passwordHash|\\[ux]|kind["']?\s*:\s*[*&!]/;
const namesSecret = /kind\\?["']?\s*:\s*(?:\\?["']?\s*Secret(?:List)?\b|[*&!]|["'].*\\[ux])/;

const unreadable = '<a manifest that cannot be read and may hold a Secret>\n';

/** Whether a document contains a matching map or string at any depth. */
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

/** Whether a string must be rendered by its content: a data URL, or a manifest with a Secret, for example in a ConfigMap. */
function isMoreThanText(depth: number): (text: string) => boolean {
  return (text) => isDataUrl(text) || holdsSecret(text, depth + 1);
}

function holdsSecret(text: string, depth: number): boolean {
  if (!mayNameSecret.test(text)) return false;
  const { documents, faults } = readYaml(text);
  if (faults.length > 0) return namesSecret.test(text);
  // A text that parses to itself is a plain string, not a manifest.
  const values = documents.map((document) => toData(document)).filter((value) => value !== text.trim());
  return depth > maxNesting || values.some((value) => holds(value, hasSecret, isMoreThanText(depth)));
}

/** A Secret or a SecretList. The items of a SecretList may omit their kind. */
function isSecret(value: Readonly<Record<string, unknown>>): boolean {
  return ['Secret', 'SecretList'].includes(textAt(value, ['kind']) ?? '');
}

/** A map that needs masking because of its kind or a field name. */
function hasSecret(value: Readonly<Record<string, unknown>>): boolean {
  return isSecret(value) || 'passwordHash' in value;
}

/** The position of a value. */
interface Place {
  /** Nesting depth of texts. */
  readonly depth: number;
  /** Within the items of a SecretList, which may omit their kind. */
  readonly isOfSecret?: boolean;
  /** Within a file entry with a private mode, as in a MachineConfig. */
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
      return [name, isSecretField(name, member) ? maskedValue : masked(member, below)];
    }),
  );
}

/** Renders a string of a map or list. An applied Secret contains a copy of itself in an annotation. */
function shownOfField(text: string, { depth, isOfPrivateFile }: Place): string {
  if (isDataUrl(text)) {
    const shown = (inner: string): string => renderManifest(inner, depth + 1);
    return shownDataUrl(text, (inner) =>
      isOfPrivateFile ? maskPrivateText(shown(inner), inner) : shown(inner),
    );
  }
  if (holdsSecret(text, depth)) return renderManifest(text, depth + 1);
  return /["'](?:data|stringData)["']\s*:/.test(text) ? maskedValue : renderText(text, depth, renderManifest);
}

/** Private Ignition files are recognized by their mode. Source: coreos.github.io/ignition/configuration-v3_2 */
function isPrivateFile({ path, mode }: Readonly<Record<string, unknown>>): boolean {
  return typeof path === 'string' && typeof mode === 'number' && isPrivate(mode);
}

/** Whether the name of a field marks it as a secret. */
function isSecretField(name: string, value: unknown): boolean {
  if (name === 'passwordHash' && typeof value === 'string') return true;
  const line = `${name}: ${String(value)}`;
  return typeof value === 'string' && !value.includes('\n') && redactSecrets(line) === `${name}: [redacted]`;
}

function mapValues(value: unknown, change: (member: unknown) => unknown): unknown {
  if (!isRecord(value)) return value === null ? value : maskedValue;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
}

/** Renders a value of a Secret: facts only, or masked. */
function shownOfText(value: unknown, { depth }: Place): unknown {
  if (typeof value !== 'string') return maskedValue;
  if (/^(?:true|false)?\s*$/.test(value)) return value;
  if (isPem(value)) return renderText(value).trim();
  const logins = registriesIn(value);
  if (logins !== undefined) return `<pull secret of ${logins.join(', ')}>`;
  return isKubeconfig(value) || isIgnition(value)
    ? renderText(value, depth + 1, renderManifest)
    : maskedValue;
}

/** Returns the registries of a pull secret; undefined for other texts. */
function registriesIn(text: string): readonly string[] | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || !isRecord(value['auths'])) return undefined;
  return Object.keys(value['auths']).map((name) => renderText(name));
}

function isKubeconfig(text: string): boolean {
  if (!/\bkind["']?:\s*["']?Config\b/.test(text)) return false;
  const [document] = readYaml(text).documents;
  return document !== undefined && textAt(toData(document), ['kind']) === 'Config';
}

function isIgnition(text: string): boolean {
  return textAt(parseJson(text), ['ignition', 'version']) !== undefined;
}
