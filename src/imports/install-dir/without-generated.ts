import { problem, type Problem } from '../../core/problem.js';
import { quotedName } from '../../core/quoted.js';
import { manifestFolders } from '../../manifests/edits/paths.js';
import { pathText, spanOf, toData, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
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
 * that differ. Warnings: import/left-out.
 */
export function withoutGenerated(site: ImportedSite, { ours, theirs }: GeneratedManifests): WithoutGenerated {
  const isGenerated = (file: ImportedFile): boolean =>
    isManifest(file) && (ours.has(file.path) || theirs.get(file.path) === file.text);
  const generated = site.files.filter(isGenerated);
  const changed = generated
    .filter(({ path, text }) => theirs.get(path) !== text)
    .flatMap((file) => changedManifest(file, theirs.get(file.path) ?? ours.get(file.path) ?? ''));
  return {
    site: {
      ...site,
      files: site.files.filter((file) => !isGenerated(file)),
      problems: [...site.problems, ...changed],
    },
    generated: generated.map(({ path }) => path),
  };
}

function isManifest({ path }: ImportedFile): boolean {
  return manifestFolders.some((folder) => path.startsWith(`${folder}/`));
}

function changedManifest({ path, text }: ImportedFile, before: string): readonly Problem[] {
  const [now] = readYaml(text).documents;
  const [then] = readYaml(before).documents;
  if (now === undefined || then === undefined || isDrawn(now)) return [];
  const fields = differing(toData(now), toData(then), []).filter((field) => !isOwn(field));
  const [first] = fields;
  if (first === undefined) return [];
  const named = fields.slice(0, 5).map((field) => quotedName(pathText(field)));
  const more = fields.length > 5 ? ` and ${fields.length - 5} more` : '';
  const message = `this file is generated and was changed: ${named.join(', ')}${more}; it is made anew without`;
  const hint = 'run `sno-install create manifests` on what is made, and change the file there';
  return [
    problem('import/left-out', message, {
      at: { file: path, path: pathText(first), ...spanOf(now, first) },
      hint,
    }),
  ];
}

/** Keys, certificates and passwords are drawn anew; the config of the cluster is what was imported. */
function isDrawn(root: YamlNode): boolean {
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
