import { problem, type Problem } from '../../core/problem.js';
import { quotedName } from '../../core/quoted.js';
import { parseJson } from '../../formats/json.js';
import { nodeAt, type FieldPath, type YamlEntry, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';

type Encoding = 'text' | 'base64';

/** Data fields by kind. Source: kubernetes/api core/v1 ConfigMap, Secret */
const dataFields: Readonly<Record<string, readonly (readonly [field: string, encoding: Encoding])[]>> = {
  ConfigMap: [
    ['data', 'text'],
    ['binaryData', 'base64'],
  ],
  Secret: [
    ['data', 'base64'],
    ['stringData', 'text'],
  ],
};

/** Limit for Secrets and ConfigMaps. Source: kubernetes/kubernetes pkg/apis/core MaxSecretSize. */
const maxDataBytes = 1024 * 1024;

/** Required keys by Secret type. Source: kubernetes/kubernetes pkg/apis/core/validation ValidateSecret */
const neededKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

/** Reports data of ConfigMaps and Secrets that the API server rejects. Problems: manifest/data. */
export function dataProblems(objects: readonly SourcedObject[]): readonly Problem[] {
  return objects.flatMap((sourced) => {
    const { apiVersion, kind } = sourced.object;
    const fields = apiVersion === 'v1' ? (dataFields[kind] ?? []) : [];
    return fields.length === 0
      ? []
      : [
          ...fields.flatMap(([field, encoding]) => fieldProblems(sourced, field, encoding)),
          ...keyTwiceProblems(sourced),
          ...sizeProblems(sourced, fields),
          ...neededKeyProblems(sourced),
          ...secretTypeProblems(sourced),
        ];
  });
}

function entriesOf({ source }: SourcedObject, field: string): readonly YamlEntry[] {
  const node = nodeAt(source.root, [field]);
  return node?.kind === 'map' ? node.entries : [];
}

function fieldProblems(sourced: SourcedObject, field: string, encoding: Encoding): readonly Problem[] {
  const node = nodeAt(sourced.source.root, [field]);
  if (node && node.kind !== 'map' && !isNull(node))
    return [fault(sourced, [field], { message: `${field} must be a map of strings` })];
  return entriesOf(sourced, field).flatMap(({ key, value }) => [
    ...keyProblems(sourced, [field, key]),
    ...valueProblems(sourced, { path: [field, key], value, encoding }),
  ]);
}

/** Source: k8s.io/apimachinery pkg/util/validation IsConfigMapKey */
function keyProblems(sourced: SourcedObject, path: FieldPath): readonly Problem[] {
  const key = String(path.at(-1));
  if (key.length <= 253 && /^[-._a-zA-Z0-9]+$/.test(key) && key !== '.' && !key.startsWith('..')) return [];
  const message = `${quotedName(key)} is not a key for data, expected letters, digits, "-", "_" and "."`;
  return [problem('manifest/data', message, { at: manifestFieldPlace(sourced.source, path, 'key') })];
}

function valueProblems(
  sourced: SourcedObject,
  {
    path,
    value,
    encoding,
  }: { readonly path: FieldPath; readonly value: YamlNode; readonly encoding: Encoding },
): readonly Problem[] {
  const name = `${path[0] ?? ''}[${quotedName(String(path[1]))}]`;
  if (value.kind !== 'scalar') {
    const hint = 'write it as a string; "|" starts a string of several lines';
    return [fault(sourced, path, { message: `${name} must be a string, not a ${value.kind}`, hint })];
  }
  if (value.value === null) return [];
  if (typeof value.value !== 'string')
    return [
      fault(sourced, path, {
        message: `${name} must be a string, not a ${typeof value.value}`,
        hint: 'put it in quotes',
      }),
    ];
  if (encoding === 'text' || isBase64(value.value)) return [];
  const hint = path[0] === 'data' ? 'encode it, or put it into stringData' : 'encode it';
  return [fault(sourced, path, { message: `${name} is not base64`, hint })];
}

/** As Go decodes base64: with padding, ignoring line breaks. */
function isBase64(text: string): boolean {
  const plain = text.replaceAll(/[\r\n]/g, '');
  return plain.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain);
}

function keyTwiceProblems(sourced: SourcedObject): readonly Problem[] {
  if (sourced.object.kind !== 'ConfigMap') return [];
  const texts = new Set(entriesOf(sourced, 'data').map(({ key }) => key));
  return entriesOf(sourced, 'binaryData')
    .filter(({ key }) => texts.has(key))
    .map(({ key }) =>
      fault(sourced, ['binaryData', key], {
        message: `the key ${quotedName(key)} is in data and in binaryData`,
      }),
    );
}

function sizeProblems(
  sourced: SourcedObject,
  fields: readonly (readonly [field: string, encoding: Encoding])[],
): readonly Problem[] {
  const bytes = fields
    .flatMap(([field, encoding]) => entriesOf(sourced, field).map(({ value }) => sizeOf(value, encoding)))
    .reduce((sum, each) => sum + each, 0);
  if (bytes <= maxDataBytes) return [];
  const message = `the data is ${Math.floor(bytes)} bytes, expected at most ${maxDataBytes}`;
  return [fault(sourced, [fields[0]?.[0] ?? ''], { message, hint: 'split them over several objects' })];
}

function sizeOf(value: YamlNode, encoding: Encoding): number {
  if (value.kind !== 'scalar' || typeof value.value !== 'string') return 0;
  return encoding === 'text' ? Buffer.byteLength(value.value) : Buffer.from(value.value, 'base64').length;
}

function neededKeyProblems(sourced: SourcedObject): readonly Problem[] {
  if (sourced.object.kind !== 'Secret') return [];
  const type = nodeAt(sourced.source.root, ['type']);
  const needed = type?.kind === 'scalar' && Object.hasOwn(neededKeys, type.text) ? neededKeys[type.text] : [];
  const keys = new Set(
    ['data', 'stringData'].flatMap((field) => entriesOf(sourced, field).map(({ key }) => key)),
  );
  const missing = (needed ?? []).filter((key) => !keys.has(key));
  if (missing.length === 0 || type?.kind !== 'scalar') return [];
  const message = `a Secret of type ${type.text} needs the ${missing.length === 1 ? 'key' : 'keys'} ${missing.join(' and ')}`;
  return [fault(sourced, ['type'], { message })];
}

/** Source: kubernetes/kubernetes pkg/apis/core/validation ValidateSecret */
function secretTypeProblems(sourced: SourcedObject): readonly Problem[] {
  const { kind, metadata } = sourced.object;
  const type = nodeAt(sourced.source.root, ['type']);
  if (kind !== 'Secret' || type?.kind !== 'scalar') return [];
  const keys = ['data', 'stringData'].flatMap((field) => entriesOf(sourced, field).map(({ key }) => key));
  if (type.text === 'kubernetes.io/basic-auth' && !keys.includes('username') && !keys.includes('password'))
    return [
      fault(sourced, ['type'], {
        message: `a Secret of type ${type.text} needs the key username or password`,
      }),
    ];
  const annotation = 'kubernetes.io/service-account.name';
  if (type.text === 'kubernetes.io/service-account-token' && !metadata.annotations?.[annotation])
    return [
      fault(sourced, ['type'], {
        message: `a Secret of type ${type.text} needs the annotation ${annotation}`,
      }),
    ];
  const jsonKey = type.text === 'kubernetes.io/dockerconfigjson' ? '.dockerconfigjson' : undefined;
  if (jsonKey === undefined) return [];
  return (['data', 'stringData'] as const).flatMap((field) =>
    entriesOf(sourced, field)
      .filter(({ key, value }) => key === jsonKey && !isJson(value, field === 'data'))
      .map(({ key }) =>
        fault(sourced, [field, key], { message: `${field}[${quotedName(key)}] is not JSON` }),
      ),
  );
}

function isJson(node: YamlNode, isEncoded: boolean): boolean {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return true;
  if (isEncoded && !isBase64(node.value)) return true;
  const text = isEncoded ? Buffer.from(node.value, 'base64').toString('utf8') : node.value;
  return parseJson(text) !== undefined;
}

function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

function fault(
  { source }: SourcedObject,
  path: FieldPath,
  { message, hint }: { readonly message: string; readonly hint?: string },
): Problem {
  return problem('manifest/data', message, { at: manifestFieldPlace(source, path), hint });
}
