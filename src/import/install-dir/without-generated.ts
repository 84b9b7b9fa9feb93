import { isRecord } from '../../core/is-record.js';
import { problem, type Problem } from '../../core/problem.js';
import { quotedName } from '../../core/quoted.js';
import { manifestFolders } from '../../manifests/edits/paths.js';
import { pathText, spanOf, toData, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { textAt } from '../resources/resources.js';
import type { ImportedFile, ImportedSite } from '../imported-site.js';

/** Generated manifests to compare with those of a site. */
export interface GeneratedManifests {
  /** Manifests that `create manifests` generates from the same configs, by path. */
  readonly ours: ReadonlyMap<string, string>;
  /** Manifests that openshift-install generated, from its state file, by path. */
  readonly theirs: ReadonlyMap<string, string>;
}

/** A site with only the manifests that the user added, and the paths of the removed ones. */
export interface WithoutGenerated {
  readonly site: ImportedSite;
  readonly generated: readonly string[];
}

/**
 * Removes the manifests that `create` generates from the configs. Each manifest that the user changed gets a warning with the changed
 * fields. One warning lists all manifests that cannot be compared. Warnings: import/left-out.
 */
export function withoutGenerated(site: ImportedSite, { ours, theirs }: GeneratedManifests): WithoutGenerated {
  const isGenerated = (file: ImportedFile): boolean =>
    isManifest(file) && (ours.has(file.path) || theirs.get(file.path) === file.text);
  const generated = site.files.filter(isGenerated);
  const changed = generated
    .filter(({ path, text }) => theirs.get(path) !== text)
    .flatMap((file) => {
      const original = theirs.get(file.path);
      return original === undefined
        ? changedManifest(file, ours.get(file.path) ?? '', isDrawn)
        : changedManifest(file, original, () => false);
    });
  const unjudged = generated.filter(({ path, text }) => !theirs.has(path) && documentsIn(text).some(isDrawn));
  return {
    site: {
      ...site,
      files: site.files.filter((file) => !isGenerated(file)),
      problems: [...site.problems, ...changed, ...notJudged(unjudged)],
    },
    generated: generated.map(({ path }) => path),
  };
}

function isManifest({ path }: ImportedFile): boolean {
  return manifestFolders.some((folder) => path.startsWith(`${folder}/`));
}

function documentsIn(text: string): readonly YamlNode[] {
  return readYaml(text).documents;
}

function notJudged(files: readonly ImportedFile[]): readonly Problem[] {
  if (files.length === 0) return [];
  const these = files.length === 1 ? 'this generated file was' : `these ${files.length} generated files were`;
  const message = `cannot check whether ${these} changed, because keys and certificates are regenerated: ${shortList(files.map(({ path }) => path))}`;
  const hint =
    'add .openshift_install_state.json, which contains the originals, to the directory, or check the files for changes';
  return [problem('import/left-out', message, { hint })];
}

/** Lists the first five names and the number of the others. */
function shortList(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return `${names.slice(0, 5).join(', ')}${more}`;
}

function changedManifest(
  file: ImportedFile,
  before: string,
  isSkipped: (root: YamlNode) => boolean,
): readonly Problem[] {
  const [now, then] = [documentsIn(file.text), documentsIn(before)];
  const more = now[then.length] ?? (now.length < then.length ? 'fewer' : undefined);
  if (more !== undefined) {
    const message = `this generated file has ${now.length} documents instead of ${then.length}; the change is not imported`;
    const at = { file: file.path, ...(more === 'fewer' ? {} : more.span) };
    return [problem('import/left-out', message, { at, hint: 'move the added documents to a new file' })];
  }
  return now.flatMap((root, index) => {
    const other = then[index];
    return other === undefined || isSkipped(root) ? [] : changedDocument(file, root, other);
  });
}

function changedDocument({ path }: ImportedFile, now: YamlNode, then: YamlNode): readonly Problem[] {
  const fields = differing(toData(now), toData(then), []).filter((field) => !isOwn(field));
  const [first] = fields;
  if (first === undefined) return [];
  const named = shortList(fields.map((field) => quotedName(pathText(field))));
  const message = `this generated file was changed and the change is not imported: ${named}`;
  const hint = 'run `sno-install create manifests` after the import and change the file there';
  return [
    problem('import/left-out', message, {
      at: { file: path, path: pathText(first), ...spanOf(now, first) },
      hint,
    }),
  ];
}

/**
 * True for objects that differ in every run: keys, certificates and passwords are generated, and the cluster config is the imported one.
 * The pull secret and the trusted certificates come from the config and are comparable.
 */
function isDrawn(root: YamlNode): boolean {
  const name = textAt(root, ['metadata', 'name']);
  if (name === 'pull-secret' || name === 'user-ca-bundle') return false;
  const data = JSON.stringify(toData(root));
  return /"kind":"Secret"|-----BEGIN|"name":"(?:cluster-config-v1|openshift-install-manifests)"/.test(data);
}

/** True for identifiers of the cluster and timestamps, which are not changes of the user. */
function isOwn(field: FieldPath): boolean {
  const text = pathText(field);
  return ['status.infrastructureName', 'spec.clusterID', 'metadata.creationTimestamp'].includes(text);
}

/** Returns the paths of fields that differ. An absent field equals an empty one. */
function differing(left: unknown, right: unknown, path: FieldPath): readonly FieldPath[] {
  if (saysNothing(left) && saysNothing(right)) return [];
  if (isRecord(left) && isRecord(right)) {
    const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    return keys.flatMap((key) => differing(left[key], right[key], [...path, key]));
  }
  return JSON.stringify(left) === JSON.stringify(right) ? [] : [path];
}

function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(saysNothing);
}
