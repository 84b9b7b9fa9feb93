import { posix } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { isYamlName } from '../../formats/yaml/yaml.js';
import type { Inputs } from '../../graph/context.js';
import type { DataEntry, FoundData } from '../resources/data-entry.js';
import { clusterField, placeOf, type Found, type Instance } from '../resources/instances.js';
import { textAt } from '../resources/resources.js';
import type { Origin } from '../../formats/yaml/traced.js';
import { addedManifests } from '../added-manifests.js';
import type { ImportedFile } from '../imported-site.js';

/** The extra manifests of a cluster, from ConfigMaps and folders. */
export interface ManifestFiles {
  readonly files: readonly ImportedFile[];
  /** Problems: import/malformed. Warnings: import/missing, import/left-out. */
  readonly problems: readonly Problem[];
}

/** A manifest with its preferred file name. `holder`, a ConfigMap or folder, becomes the prefix when the name is taken. */
interface Candidate {
  readonly name: string;
  readonly holder: string;
  readonly text: string;
  readonly origins: ImportedFile['origins'];
}

interface Candidates {
  readonly found: readonly Candidate[];
  readonly problems: readonly Problem[];
}

/** Collects all extra manifests of a cluster. Later files with a name already in use are renamed. */
export function manifestFiles(
  instance: Instance,
  inputs: Inputs,
  configMap: (name: string) => FoundData | undefined,
): ManifestFiles {
  const all = [
    ...referencesOf(instance).map((each) => ofConfigMap(instance, each, configMap)),
    ...foldersOf(instance).map((each) => ofFolder(instance, each, inputs)),
  ];
  const usedNames = new Set<string>();
  const files = all
    .flatMap(({ found }) => found)
    .map(({ text, origins, ...wanted }) => {
      const name = freeName(wanted, usedNames);
      usedNames.add(name);
      return { path: `manifests/${name}`, text, origins };
    });
  return { files, problems: all.flatMap(({ problems }) => problems) };
}

function freeName(
  { name, holder }: Pick<Candidate, 'name' | 'holder'>,
  usedNames: ReadonlySet<string>,
): string {
  const prefix = holder.replace(/[^-.\w]+/g, '-').replace(/^[-.]+/, '') || 'other';
  let free = name;
  for (let count = 1; usedNames.has(free); count += 1)
    free = count === 1 ? `${prefix}-${name}` : `${prefix}-${count}-${name}`;
  return free;
}

/** References to ConfigMaps, without duplicates. */
function referencesOf(instance: Instance): readonly Found[] {
  const found =
    clusterField(instance, ['extraManifestsRefs']) ?? clusterField(instance, ['manifestsConfigMapRefs']);
  const names = new Set<string>();
  return itemsOf(found).filter(({ node }) => {
    const name = textAt(node, ['name']) ?? '';
    const isNew = !names.has(name);
    names.add(name);
    return isNew;
  });
}

function itemsOf(found: Found | undefined): readonly Found[] {
  if (found?.node.kind !== 'list') return [];
  return found.node.items.map((node, index) => ({ node, path: [...found.path, index] }));
}

function ofConfigMap(
  instance: Instance,
  reference: Found,
  configMap: (name: string) => FoundData | undefined,
): Candidates {
  const holder = textAt(reference.node, ['name']) ?? '';
  const data = configMap(holder);
  if (data === undefined) {
    const hint =
      'add it to the imported directory and import again, or add its manifests to the new manifests/';
    const message = 'ConfigMap with manifests not found in the input files; its manifests are not imported';
    return {
      found: [],
      problems: [problem('import/missing', message, { at: placeOf(instance, reference), hint })],
    };
  }
  const found = data.entries.map((entry) => ({
    name: isYamlName(entry.key) ? entry.key : `${entry.key}.yaml`,
    holder,
    text: entry.text,
    origins: originsOf(entry),
  }));
  return { found, problems: data.problems };
}

function originsOf({ at, lines }: DataEntry): readonly Origin[] | Origin {
  return lines === undefined ? { at } : lines.map((span) => ({ at: { ...at, ...span } }));
}

/** Folders that a SiteConfig names relative to its own file, without duplicates. */
function foldersOf(instance: Instance): readonly Found[] {
  const own = clusterField(instance, ['extraManifestPath']);
  const all = [...(own ? [own] : []), ...itemsOf(clusterField(instance, ['extraManifests', 'searchPaths']))];
  const paths = all.map((each) => pathOf(instance, each));
  return all.filter((_, index) => paths.indexOf(paths[index] ?? '') === index);
}

function pathOf({ resource: { file } }: Instance, { node }: Found): string {
  const named = node.kind === 'scalar' ? node.text : '';
  return posix.join(posix.dirname(file), named).replace(/\/$/, '');
}

function ofFolder(instance: Instance, named: Found, inputs: Inputs): Candidates {
  const folder = pathOf(instance, named);
  if (inputs.list(folder) === undefined) {
    const read = inputs.read(folder);
    const why = read.kind === 'unreadable' ? read.reason : 'it does not exist';
    const hint = 'add it next to the file and import again, or add its manifests to the new manifests/';
    const message = `the manifest directory is not imported: ${why}`;
    return {
      found: [],
      problems: [problem('import/missing', message, { at: placeOf(instance, named), hint })],
    };
  }
  const { files, problems } = addedManifests(inputs, [folder]);
  const found = files.map(({ path, text, origins }) => ({
    name: posix.basename(path),
    holder: posix.basename(folder),
    text,
    origins,
  }));
  return { found, problems };
}
