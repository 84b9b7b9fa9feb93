import type { InstallDraft } from '../../config/reading/install-config.js';
import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { listAt, textAt } from '../../kube/fields.js';
import { groupOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';

/** Lists of mirrors by group and kind. */
const mirrorLists: Readonly<Record<string, string>> = {
  'operator.openshift.io/ImageContentSourcePolicy': 'repositoryDigestMirrors',
  'config.openshift.io/ImageDigestMirrorSet': 'imageDigestMirrors',
  'config.openshift.io/ImageTagMirrorSet': 'imageTagMirrors',
};

interface MirrorEntry {
  readonly sourced: SourcedObject;
  readonly path: FieldPath;
  readonly source: string;
  readonly policy: string;
  readonly mirrors: readonly unknown[];
}

const usualPolicy = 'AllowContactingSource';

/**
 * Reports mirror sets that the machine-config operator refuses: two policies for one source, in manifests or
 * imageDigestSources, and a source that is never contacted but is its own mirror. Problems: manifest/image-config.
 * Source: machine-config-operator pkg/controller/container-runtime-config/helpers.go, validateRegistriesConfScopes
 */
export function mirrorSetProblems(
  objects: readonly SourcedObject[],
  install: InstallDraft | undefined,
): readonly Problem[] {
  const policies = new Map<string, string>();
  if (install?.isSound('imageDigestSources') === true) {
    for (const { source, sourcePolicy = usualPolicy } of install.config.imageDigestSources) {
      policies.set(source, sourcePolicy);
    }
  }
  return objects.flatMap(mirrorEntries).flatMap((entry) => {
    const known = policies.get(entry.source);
    policies.set(entry.source, known ?? entry.policy);
    return entryProblems(entry, known ?? entry.policy);
  });
}

/** Sources with their mirrors in a mirror set; empty for other objects. */
export function mirrorEntries(sourced: SourcedObject): readonly MirrorEntry[] {
  const { object } = sourced;
  const list = mirrorLists[`${groupOf(object.apiVersion)}/${object.kind}`];
  if (list === undefined) return [];
  return listAt(object, ['spec', list]).flatMap((entry, index) => {
    const source = textAt(entry, ['source']);
    const policy = textAt(entry, ['mirrorSourcePolicy']) ?? usualPolicy;
    const mirrors = listAt(entry, ['mirrors']);
    const path = ['spec', list, index];
    const isOfSet = object.kind !== 'ImageContentSourcePolicy';
    return source === undefined
      ? []
      : [{ sourced, path, source, policy: isOfSet ? policy : usualPolicy, mirrors }];
  });
}

const endsWithError = "and the machine-config operator's bootstrap ends with an error";

function entryProblems(
  { sourced, path, source, policy, mirrors }: MirrorEntry,
  known: string,
): readonly Problem[] {
  const at = manifestFieldPlace(sourced.source, [...path, 'mirrorSourcePolicy']);
  if (policy !== known) {
    const message = `the source ${quoted(source)} has the policies ${known} and ${policy}, ${endsWithError}`;
    return [problem('manifest/image-config', message, { at, hint: 'write the same policy for both' })];
  }
  if (policy !== 'NeverContactSource' || !mirrors.includes(source)) return [];
  const message = `the source ${quoted(source)} is one of its mirrors although it is never contacted, ${endsWithError}`;
  return [problem('manifest/image-config', message, { at, hint: 'remove it from mirrors' })];
}
