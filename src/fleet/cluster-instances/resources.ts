import { posix } from 'node:path';

import { problem, type Place, type Problem } from '../../core/problem.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { isYamlName } from '../../formats/yaml/yaml-name.js';
import { nodeAt, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import type { Inputs } from '../../graph/context.js';

/** An object of Kubernetes as a file of somebody's repository has it. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Empty where the file leaves it to who applies it. */
  readonly namespace: string;
  readonly root: YamlNode;
  readonly file: string;
}

/** What the files of a folder hold, and what is to be said of those that hold nothing known. */
export interface FoundResources {
  readonly resources: readonly Resource[];
  /** Warnings: import/not-read. */
  readonly problems: readonly Problem[];
}

/** The objects in a file, or in every file of YAML below a folder, hidden ones left out; items of a List each by itself. */
export function resourcesIn(inputs: Inputs, path: string): FoundResources {
  const found = yamlFilesBelow(inputs, path).map((file) => resourcesOf(inputs, file));
  return {
    resources: found.flatMap(({ resources }) => resources),
    problems: found.flatMap(({ problems }) => problems),
  };
}

function yamlFilesBelow(inputs: Inputs, path: string): readonly string[] {
  const entries = inputs.list(path);
  if (entries === undefined) return [path];
  return entries
    .filter((entry) => !entry.startsWith('.') && (entry.endsWith('/') || isYamlName(entry)))
    .flatMap((entry) => {
      const below = posix.join(path, entry.replace(/\/$/, ''));
      return entry.endsWith('/') ? yamlFilesBelow(inputs, below) : [below];
    });
}

function resourcesOf(inputs: Inputs, file: string): FoundResources {
  const read = inputs.read(file);
  const text = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
  if (text === undefined) return notRead({ file });
  const { documents, faults } = readYaml(text);
  const [fault] = faults;
  if (fault !== undefined) return notRead({ file, ...fault.span });
  return { resources: documents.flatMap((root) => itemsOf(root, file)), problems: [] };
}

function notRead(at: Place): FoundResources {
  const hint = 'mend it if it belongs to a site';
  const message = 'this file is no YAML that can be read, so nothing is taken from it';
  return { resources: [], problems: [problem('import/not-read', message, { at, hint })] };
}

function itemsOf(root: YamlNode, file: string): readonly Resource[] {
  const kind = textAt(root, ['kind']);
  if (kind === undefined) return [];
  const items = nodeAt(root, ['items']);
  if (kind.endsWith('List') && items?.kind === 'list')
    return items.items.flatMap((item) => itemsOf(item, file));
  return [
    {
      apiVersion: textAt(root, ['apiVersion']) ?? '',
      kind,
      name: textAt(root, ['metadata', 'name']) ?? '',
      namespace: textAt(root, ['metadata', 'namespace']) ?? '',
      root,
      file,
    },
  ];
}

/** The text of a field; undefined where there is none, or something else than a text or number. */
export function textAt(root: YamlNode | undefined, path: readonly (string | number)[]): string | undefined {
  const node = root && nodeAt(root, path);
  return node?.kind === 'scalar' && node.value !== null ? node.text : undefined;
}

/** The items of a list; none where there is no list. */
export function itemsAt(root: YamlNode | undefined, path: readonly (string | number)[]): readonly YamlNode[] {
  const node = root && nodeAt(root, path);
  return node?.kind === 'list' ? node.items : [];
}
