import { parseJson } from '../../formats/json.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { toData } from '../../formats/yaml/yaml-tree.js';
import { isRecord, textAt } from '../../kube/fields.js';
import type { SourcedText } from '../explode.js';

/** A Kubernetes object that a text of a tree holds. */
export interface NamedObject {
  /** `Kind namespace/name`, with the API group where it has one. */
  readonly name: string;
  readonly value: unknown;
  /** The same with its secrets, where they are known. */
  readonly sourceValue?: unknown;
}

/** The Kubernetes objects of a text; none where any of its documents is something else. */
export function objectsIn(path: string, { text, source }: SourcedText): readonly NamedObject[] {
  const documents = documentsOf(path, text).filter((each) => each !== null);
  const names = documents.map(nameOf);
  if (names.length === 0 || names.includes(undefined) || new Set(names).size < names.length) return [];
  const sources =
    source === undefined
      ? []
      : documentsOf(path, Buffer.from(source).toString('utf8')).filter((each) => each !== null);
  return documents.map((value, index) => {
    const sourceValue = sources.length === documents.length ? sources[index] : undefined;
    return { name: names[index] ?? '', value, ...(sourceValue !== undefined && { sourceValue }) };
  });
}

/** A text as data, where it is one map or list. */
export function structureOf(path: string, text: string): unknown {
  const [value, ...others] = documentsOf(path, text);
  return others.length === 0 && typeof value === 'object' && value !== null ? value : undefined;
}

function documentsOf(path: string, text: string): readonly unknown[] {
  if (/^\s*[{[]/.test(text) && !/\.ya?ml$/.test(path)) {
    const value = parseJson(text);
    return value === undefined ? [] : [value];
  }
  if (!/\.ya?ml$|kubeconfig[^/]*$/.test(path)) return [];
  const { documents, faults } = readYaml(text);
  return faults.length > 0 ? [] : documents.map((document) => toData(document));
}

function nameOf(object: unknown): string | undefined {
  const [apiVersion, kind, name] = [['apiVersion'], ['kind'], ['metadata', 'name']].map((at) =>
    textAt(object, at),
  );
  if (!isRecord(object) || apiVersion === undefined || kind === undefined || name === undefined)
    return undefined;
  const namespace = textAt(object, ['metadata', 'namespace']);
  const group = apiVersion.includes('/') ? ` (${apiVersion.replace(/\/.*/, '')})` : '';
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${group}`;
}
