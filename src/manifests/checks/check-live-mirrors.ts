import type { InstallDraft } from '../../config/reading/install-config.js';
import { covers, hasLiveMirror, pulledRepositories } from '../../config/reading/release-mirrors.js';
import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { mirrorEntries } from './check-mirror-sets.js';

/**
 * Warns of mirrors of the release in manifests only: the live system has those of install-config.yaml. Problems: manifest/mirror-not-live.
 * Source: openshift/installer pkg/asset/ignition/bootstrap, registries.conf of the bootstrap
 */
export function liveMirrorProblems(
  objects: readonly SourcedObject[],
  image: string | undefined,
  install: InstallDraft | undefined,
): readonly Problem[] {
  const isSound = ['imageDigestSources', 'imageContentSources'].every((field) => install?.isSound(field));
  if (image === undefined || install === undefined || !isSound) return [];
  const pulled = pulledRepositories(image).filter((each) => !hasLiveMirror(install, each));
  return objects.flatMap(mirrorEntries).flatMap(({ sourced, path, source, mirrors }) => {
    if (mirrors.length === 0 || !pulled.some((each) => covers(source, each))) return [];
    const message = `the live system does not have this mirror of ${quoted(source)}, and pulls the release from its source`;
    const at = manifestFieldPlace(sourced.source, [...path, 'source']);
    const hint = 'copy the source and its mirrors to imageDigestSources in install-config.yaml';
    return [problem('manifest/mirror-not-live', message, { at, hint })];
  });
}
