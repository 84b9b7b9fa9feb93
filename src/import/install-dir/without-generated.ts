import { isRecord } from '../../core/is-record.js';
import { problem, type Problem } from '../../core/problem.js';
import { quotedName } from '../../core/quoted.js';
import { manifestFolders } from '../../manifests/edits/paths.js';
import { pathText, spanOf, toData, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { textAt } from '../resources/resources.js';
import type { ImportedFile, ImportedSite } from '../imported-site.js';

/** What is known of manifests that programs have made. */
export interface GeneratedManifests {
  /** Those that `create manifests` makes of the same configs, by path. */
  readonly ours: ReadonlyMap<string, string>;
  /** Those that openshift-install made, as its state file keeps them, by path. */
  readonly theirs: ReadonlyMap<string, string>;
}

/** A site with what people have added, and the files that are made anew. */
export interface WithoutGenerated {
  readonly site: ImportedSite;
  readonly generated: readonly string[];
}

/**
 * Takes the manifests out of a site that `create` makes again of its configs. One that people have changed is told with the fields
 * that differ; those of which nobody can say so are told together. Warnings: import/left-out.
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
  const message = `whether ${these} changed cannot be told, because keys and certificates are drawn anew: ${shortList(files.map(({ path }) => path))}`;
  const hint =
    'put .openshift_install_state.json beside them, which keeps what they were, or look them through';
  return [problem('import/left-out', message, { hint })];
}

/** The first names of a list, and how many there are beside them. */
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
    const message = `this file is generated and has ${now.length} documents in the place of ${then.length}; it is made anew without`;
    const at = { file: file.path, ...(more === 'fewer' ? {} : more.span) };
    return [problem('import/left-out', message, { at, hint: 'write what was added into a file of its own' })];
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
  const message = `this file is generated and was changed: ${named}; it is made anew without`;
  const hint = 'run `sno-install create manifests` on what is made, and change the file there';
  return [
    problem('import/left-out', message, {
      at: { file: path, path: pathText(first), ...spanOf(now, first) },
      hint,
    }),
  ];
}

/**
 * Keys, certificates and passwords are drawn anew; the config of the cluster is what was imported. The pull secret and the
 * certificates that are trusted stand in the config, and are not drawn.
 */
function isDrawn(root: YamlNode): boolean {
  const name = textAt(root, ['metadata', 'name']);
  if (name === 'pull-secret' || name === 'user-ca-bundle') return false;
  const data = JSON.stringify(toData(root));
  return /"kind":"Secret"|-----BEGIN|"name":"(?:cluster-config-v1|openshift-install-manifests)"/.test(data);
}

/** What tells one cluster from another is no change of anybody's. */
function isOwn(field: FieldPath): boolean {
  const text = pathText(field);
  return ['status.infrastructureName', 'spec.clusterID', 'metadata.creationTimestamp'].includes(text);
}

/** The fields in which two values differ, where a field that is absent is the same as one that says nothing. */
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
