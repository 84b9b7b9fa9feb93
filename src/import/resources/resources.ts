import { posix } from 'node:path';

import { problem, type Place, type Problem } from '../../core/problem.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { nodeAt, type YamlNode, type YamlScalar } from '../../formats/yaml/yaml-tree.js';
import { isYamlName, readYaml } from '../../formats/yaml/yaml.js';
import type { Inputs } from '../../graph/context.js';

/** A Kubernetes object in a file of the source. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Empty if the file does not set it. */
  readonly namespace: string;
  readonly root: () => YamlNode;
  readonly file: string;
}

/** The Kubernetes objects of a file. */
export interface FoundResources {
  readonly resources: readonly Resource[];
  /** Warnings: import/not-read. */
  readonly problems: readonly Problem[];
}

/** Maximum number of parsed files in memory. A site reads a few files, and shares several of them with the next site. */
const keptFiles = 64;

/**
 * Yields the objects of a file, or of each YAML file below a folder except hidden ones. Items of a List are separate objects.
 * The cache of parsed files is limited, so a file may be parsed again: the trees of ten thousand sites would take a gigabyte.
 */
export function* resourcesIn(inputs: Inputs, path: string): Generator<FoundResources> {
  const kept = new Map<string, FoundRoots>();
  const rootsOf = (file: string): FoundRoots => {
    const known = kept.get(file);
    if (known !== undefined) return known;
    const found = rootsIn(inputs, file);
    if (kept.size === keptFiles) kept.clear();
    kept.set(file, found);
    return found;
  };
  for (const file of yamlFilesBelow(inputs, path)) {
    const found = rootsOf(file);
    yield found.ok
      ? {
          resources: found.roots.map((root, index) => resourceOf(root, file, rootAt(rootsOf, file, index))),
          problems: [],
        }
      : { resources: [], problems: [found.problem] };
  }
}

function rootAt(rootsOf: (file: string) => FoundRoots, file: string, index: number): () => YamlNode {
  return () => {
    const found = rootsOf(file);
    const root = found.ok ? found.roots[index] : undefined;
    if (root === undefined) throw new Error(`internal error: ${file} has changed since it was read`);
    return root;
  };
}

function yamlFilesBelow(inputs: Inputs, path: string): readonly string[] {
  const entries = inputs.list(path);
  if (entries === undefined) return [path];
  return entries
    .filter(
      (entry) =>
        !entry.startsWith('.') && (entry.endsWith('/') || isYamlName(entry) || isKustomization(entry)),
    )
    .flatMap((entry) => {
      const below = posix.join(path, entry.replace(/\/$/, ''));
      return entry.endsWith('/') ? yamlFilesBelow(inputs, below) : [below];
    });
}

type FoundRoots =
  | { readonly ok: true; readonly roots: readonly YamlNode[] }
  | { readonly ok: false; readonly problem: Problem };

function rootsIn(inputs: Inputs, file: string): FoundRoots {
  const read = inputs.read(file);
  const text = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
  if (text === undefined) return notRead({ file });
  const { documents, faults } = readYaml(text);
  const [fault] = faults;
  return fault === undefined
    ? { ok: true, roots: documents.flatMap((root) => itemsOf(root, file)) }
    : notRead({ file, ...fault.span });
}

function notRead(at: Place): FoundRoots {
  const hint = 'if it belongs to a site, correct it';
  const message = 'this file is not valid YAML and is not imported';
  return { ok: false, problem: problem('import/not-read', message, { at, hint }) };
}

function itemsOf(root: YamlNode, file: string): readonly YamlNode[] {
  const kind = kindOf(root, file);
  if (kind === undefined) return [];
  const items = nodeAt(root, ['items']);
  return kind.endsWith('List') && items?.kind === 'list'
    ? items.items.flatMap((item) => itemsOf(item, ''))
    : [root];
}

/** A kustomization file needs no kind. Source: kubernetes-sigs/kustomize api/types/kustomization.go, FixKustomizationPostUnmarshalling */
function kindOf(root: YamlNode, file: string): string | undefined {
  const kind = textAt(root, ['kind']);
  return kind ?? (root.kind === 'map' && isKustomization(file) ? 'Kustomization' : undefined);
}

/** Source: kubernetes-sigs/kustomize api/konfig/general.go, RecognizedKustomizationFileNames */
export function isKustomization(path: string): boolean {
  return ['kustomization.yaml', 'kustomization.yml', 'Kustomization'].includes(posix.basename(path));
}

function resourceOf(read: YamlNode, file: string, root: () => YamlNode): Resource {
  const text = (...path: readonly string[]): string => copyText(textAt(read, path) ?? '');
  return {
    apiVersion: text('apiVersion'),
    kind: copyText(kindOf(read, file) ?? ''),
    name: text('metadata', 'name'),
    namespace: text('metadata', 'namespace'),
    root,
    file,
  };
}

/** Copies a substring. V8 would otherwise keep the whole original string in memory. */
export function copyText(part: string): string {
  return Buffer.from(part).toString();
}

/** Returns the text of a scalar; undefined if the field is absent, null, a list or a map. */
export function textAt(root: YamlNode | undefined, path: readonly (string | number)[]): string | undefined {
  return textNode(root, path)?.text;
}

/** Returns a scalar that is not null. */
export function textNode(
  root: YamlNode | undefined,
  path: readonly (string | number)[],
): YamlScalar | undefined {
  const node = root && nodeAt(root, path);
  return node?.kind === 'scalar' && node.value !== null ? node : undefined;
}

/** Returns the items of a list; empty if the field is not a list. */
export function itemsAt(root: YamlNode | undefined, path: readonly (string | number)[]): readonly YamlNode[] {
  const node = root && nodeAt(root, path);
  return node?.kind === 'list' ? node.items : [];
}
