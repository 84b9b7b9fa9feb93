import { problem, type Problem } from '../../core/problem.js';
import { nodeAt, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { ManifestSource } from '../../kube/manifest.js';

/**
 * Reports documents that are not a single Kubernetes object with a name.
 * Problems: manifest/not-an-object, manifest/list, manifest/missing-field, manifest/field-type,
 * manifest/generate-name, manifest/name-too-long.
 */
export function shapeProblems(source: ManifestSource): readonly Problem[] {
  const { root } = source;
  if (root.kind !== 'map') return [notAnObject(source)];
  if (isList(root)) return [list(source)];
  if (nodeAt(root, ['items']) !== undefined) return [strayItems(source)];
  const required = [['apiVersion'], ['kind'], ['metadata', 'name']].flatMap((path) =>
    textProblems(source, path),
  );
  return [...required, ...optionalTextProblems(source), ...lengthProblems(source)];
}

function notAnObject(source: ManifestSource): Problem {
  const message = `the document is a ${source.root.kind === 'list' ? 'list' : 'single value'}, expected an object`;
  return problem('manifest/not-an-object', message, {
    at: manifestFieldPlace(source, []),
    hint: 'an object starts with apiVersion, kind and metadata',
  });
}

function isList(root: YamlNode): boolean {
  const kind = textAt(root, ['kind']);
  return kind === 'List' || (kind?.endsWith('List') === true && nodeAt(root, ['items'])?.kind === 'list');
}

function list(source: ManifestSource): Problem {
  return problem('manifest/list', `a ${textAt(source.root, ['kind']) ?? 'List'} is not read on the node`, {
    at: manifestFieldPlace(source, ['kind']),
    hint: 'write each of its items as a separate document, with a line "---" between them',
  });
}

/**
 * A field `items` makes any object a list, whatever its kind. cluster-bootstrap then creates none of all manifests.
 * Source: k8s.io/apimachinery, pkg/apis/meta/v1/unstructured/helpers.go; openshift/library-go, pkg/assets/create.
 */
function strayItems(source: ManifestSource): Problem {
  return problem(
    'manifest/list',
    'a top-level field "items" makes the object a list, which is not read on the node',
    {
      at: manifestFieldPlace(source, ['items'], 'key'),
      hint: 'remove the field, or move it to where it belongs, such as below "data" or "spec"',
    },
  );
}

function textProblems(source: ManifestSource, path: FieldPath): readonly Problem[] {
  const node = nodeAt(source.root, path);
  if (isFilledText(node)) return [];
  if (path.at(-1) === 'name' && nodeAt(source.root, ['metadata', 'generateName']))
    return [generateName(source)];
  if (node === undefined || (node.kind === 'scalar' && (node.value === null || node.value === '')))
    return [missing(source, path)];
  return [notAText(source, path, node)];
}

function missing(source: ManifestSource, path: FieldPath): Problem {
  return problem('manifest/missing-field', `${path.join('.')} is missing`, {
    at: manifestFieldPlace(source, path),
    hint: 'every object has apiVersion, kind and metadata.name',
  });
}

function generateName(source: ManifestSource): Problem {
  return problem('manifest/generate-name', 'metadata.generateName cannot be used in a manifest', {
    at: manifestFieldPlace(source, ['metadata', 'generateName'], 'key'),
    hint: 'give the object a fixed metadata.name',
  });
}

/**
 * Reports numbers and booleans in string fields. The API server would reject them, and the node would retry for an hour. It reads a
 * label or annotation without value as an empty string.
 */
function optionalTextProblems(source: ManifestSource): readonly Problem[] {
  const values = ['labels', 'annotations'].flatMap((field) => {
    const node = nodeAt(source.root, ['metadata', field]);
    return node?.kind === 'map' ? node.entries.map(({ key }) => ['metadata', field, key]) : [];
  });
  return [['metadata', 'namespace'], ...values].flatMap((path) => {
    const node = nodeAt(source.root, path);
    const isDropped = path[1] !== 'namespace' && node?.kind === 'scalar' && node.value === null;
    if (node === undefined || isDropped || isText(node)) return [];
    return [notAText(source, path, node)];
  });
}

function isText(node: YamlNode): boolean {
  return node.kind === 'scalar' && typeof node.value === 'string';
}

function notAText(source: ManifestSource, path: FieldPath, node: YamlNode): Problem {
  const at = manifestFieldPlace(source, path);
  const message = `${path.join('.')} must be a string`;
  if (node.kind !== 'scalar') return problem('manifest/field-type', `${message}, not a ${node.kind}`, { at });
  const hint = node.text === '' ? 'write "" for an empty string' : 'put it in quotes';
  return problem('manifest/field-type', message, { at, hint });
}

/** Source: kubernetes.io/docs/concepts/overview/working-with-objects/names, "DNS Subdomain Names". */
const maxNameLength = 253;

function lengthProblems(source: ManifestSource): readonly Problem[] {
  const path = ['metadata', 'name'];
  const { length } = textAt(source.root, path) ?? '';
  if (length <= maxNameLength) return [];
  const message = `metadata.name has ${length} characters, expected at most ${maxNameLength}`;
  return [
    problem('manifest/name-too-long', message, { at: manifestFieldPlace(source, path), hint: 'shorten it' }),
  ];
}

function isFilledText(node: YamlNode | undefined): boolean {
  return node?.kind === 'scalar' && typeof node.value === 'string' && node.value !== '';
}

function textAt(root: YamlNode, path: FieldPath): string | undefined {
  const node = nodeAt(root, path);
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}
