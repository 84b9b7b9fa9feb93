import { posix } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { quotedName } from '../../core/quoted.js';
import { pathText, type FieldPath, type Span, type YamlScalar } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import { instanceName, type Instance } from './instances.js';
import { copyText, itemsAt, textNode, type Resource } from './resources.js';

/** The clusters of a source that its kustomizations list, and the others. */
export interface ListedSites {
  readonly listed: readonly Instance[];
  readonly unlisted: readonly UnlistedSite[];
}

export interface UnlistedSite {
  readonly instance: Instance;
  /** File of the kustomization that lists other sites. */
  readonly kustomization: string;
}

/**
 * Separates the clusters whose file no kustomization lists: a hub does not install them, for example because they are removed or not
 * ready. The topmost kustomization that lists sites, itself or by the folders that it lists, decides on all files below its folder.
 * Without one, all files are listed.
 */
export function listedSites(
  instances: readonly Instance[],
  kustomizations: readonly Kustomization[],
): ListedSites {
  const siteFiles = new Set(instances.map(({ resource }) => resource.file));
  const lists = new KustomizationLists(kustomizations, siteFiles);
  const judged = instances.map((instance) => {
    const decisive = lists.above(instance.resource.file);
    const isListed = decisive === undefined || decisive.files.has(instance.resource.file);
    return { instance, kustomization: isListed ? undefined : decisive.kustomization };
  });
  return {
    listed: judged.flatMap(({ instance, kustomization }) => (kustomization === undefined ? [instance] : [])),
    unlisted: judged.flatMap(({ instance, kustomization }) =>
      kustomization === undefined ? [] : [{ instance, kustomization }],
    ),
  };
}

interface KustomizationList {
  readonly kustomization: string;
  readonly files: ReadonlySet<string>;
}

class KustomizationLists {
  readonly #byFolder: ReadonlyMap<string, Kustomization>;
  readonly #siteFiles: ReadonlySet<string>;
  /** Undefined for a folder without a kustomization that lists sites. */
  readonly #lists = new Map<string, KustomizationList | undefined>();

  constructor(kustomizations: readonly Kustomization[], siteFiles: ReadonlySet<string>) {
    this.#byFolder = byFolder(kustomizations);
    this.#siteFiles = siteFiles;
  }

  /** The list of the topmost kustomization above a file that lists sites. */
  above(file: string): KustomizationList | undefined {
    const folders: string[] = [];
    for (let folder = posix.dirname(file); ; folder = posix.dirname(folder)) {
      folders.unshift(folder);
      if (folder === posix.dirname(folder)) break;
    }
    return folders.map((folder) => this.#list(folder)).find((list) => list !== undefined);
  }

  #list(folder: string): KustomizationList | undefined {
    const known = this.#byFolder.get(folder);
    if (known === undefined) return undefined;
    if (!this.#lists.has(folder)) {
      const files = new Set<string>();
      addFiles(known, this.#byFolder, files);
      const hasSites = [...files].some((file) => this.#siteFiles.has(file));
      this.#lists.set(folder, hasSites ? { kustomization: known.file, files } : undefined);
    }
    return this.#lists.get(folder);
  }
}

function byFolder(kustomizations: readonly Kustomization[]): ReadonlyMap<string, Kustomization> {
  return new Map(kustomizations.map((each) => [posix.dirname(each.file), each]));
}

function addFiles(
  { entries }: Kustomization,
  others: ReadonlyMap<string, Kustomization>,
  files: Set<string>,
): void {
  for (const { path } of entries) {
    if (files.has(path)) continue;
    files.add(path);
    const below = others.get(path);
    if (below !== undefined) addFiles(below, others, files);
  }
}

/** Warnings: import/unlisted. */
export function unlistedProblems(unlisted: readonly UnlistedSite[]): readonly Problem[] {
  return unlisted.map(({ instance, kustomization }) => {
    const message = `${kustomization} does not list the file of ${quotedName(instanceName(instance))}`;
    const hint = 'a hub does not install the cluster: remove the site here too, or hold it in rollout.yaml';
    return problem('import/unlisted', message, { at: { file: instance.resource.file }, hint });
  });
}

/** Reports files that a kustomization names but that do not exist: kustomize then renders nothing. Warnings: import/missing. */
export function missingFiles(
  kustomizations: readonly Kustomization[],
  resources: readonly Resource[],
  inputs: Inputs,
): readonly Problem[] {
  const present = new Set(resources.map(({ file }) => file));
  const folders = byFolder(kustomizations);
  return kustomizations.flatMap(({ file, entries, patches }) =>
    [...entries, ...patches].flatMap(({ path, at, span }) => {
      if (folders.has(path) || present.has(path)) return [];
      const isFolder = inputs.list(path) !== undefined;
      if (!isFolder && inputs.read(path).kind !== 'absent') return [];
      const what = isFolder ? 'folder without a kustomization.yaml' : 'file that does not exist';
      const message = `${pathText(at)} names a ${what}: kustomize stops, and a site in it is not read`;
      const hint = 'correct the name, add the file, or remove the line';
      return [problem('import/missing', message, { at: { file, path: pathText(at), ...span }, hint })];
    }),
  );
}

/** The files that a kustomization names. */
export interface Kustomization {
  readonly file: string;
  /** Files and folders whose objects it contains. URLs and entries outside of the source are left out. */
  readonly entries: readonly KustomizationEntry[];
  readonly patches: readonly KustomizationEntry[];
}

interface KustomizationEntry {
  /** From the root of the source. */
  readonly path: string;
  readonly at: FieldPath;
  readonly span: Span;
}

/** Source: kubernetes-sigs/kustomize api/types/kustomization.go */
const lists = ['resources', 'generators', 'bases', 'components'];
const patchLists = ['patchesStrategicMerge', 'transformers', 'validators', 'configurations', 'crds'];
const patchPaths = ['patches', 'patchesJson6902', 'replacements'];

/** The kustomizations among the resources of a file. Reads their files. */
export function kustomizationsOf(resources: readonly Resource[]): readonly Kustomization[] {
  return resources
    .filter(({ kind }) => kind === 'Kustomization')
    .map((each) => ({
      file: each.file,
      entries: lists.flatMap((field) => listEntries(each, field)),
      patches: [...patchLists.flatMap((field) => listEntries(each, field)), ...patchEntries(each)],
    }));
}

function patchEntries(kustomization: Resource): readonly KustomizationEntry[] {
  return patchPaths.flatMap((field) =>
    itemsAt(kustomization.root(), [field]).flatMap((item, index) =>
      entryOf(kustomization, textNode(item, ['path']), [field, index, 'path']),
    ),
  );
}

function listEntries(kustomization: Resource, field: string): readonly KustomizationEntry[] {
  return itemsAt(kustomization.root(), [field]).flatMap((item, index) =>
    entryOf(kustomization, textNode(item, []), [field, index]),
  );
}

function entryOf(
  { file }: Resource,
  node: YamlScalar | undefined,
  at: FieldPath,
): readonly KustomizationEntry[] {
  // Generators, transformers and patches may be written in place.
  if (node === undefined || /[\n{]/.test(node.text) || isOutside(file, node.text)) return [];
  return [{ path: copyText(besideFile(file, node.text)), at, span: node.span }];
}

/** Path of a file that another one names. */
export function besideFile(file: string, path: string): string {
  return posix.join(posix.dirname(file), path).replace(/\/$/, '');
}

/** Whether a resource of a kustomization is a URL or outside of the imported directory. */
export function isOutside(file: string, resource: string): boolean {
  if (/^[a-z][a-z+.-]*:\/\/|^git@|\?ref=|^github\.com\//.test(resource)) return true;
  return besideFile(file, resource).startsWith('../');
}
