import { ignoredSettingWarning, ignoredSettingProblems } from '../../config/ignored-settings.js';
import { requestedNameProblems } from '../../control-plane/requested-names.js';
import type { Problem } from '../../core/problem.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import type { Inputs } from '../../graph/context.js';
import { isManifestName, manifestFolders, postInstallFolder } from '../../manifests/edits/paths.js';
import { aioVersions } from '../../node/aio/aio-release.js';
import { unknownVersion } from '../../node/aio/unknown-version.js';
import type { ProgramVersions } from '../../release/flags/check-flags.js';
import { programSources } from '../../release/flags/program-sources.js';
import { installReading } from '../config/install-reading.js';
import { releaseReading } from '../config/release.js';
import { snoReading } from '../config/sno-config.js';

/**
 * Program versions of the node, and settings that it does not support. Checked even if the configs have errors, so that one run
 * reports every problem. Problems: config/kubernetes-version, aio/ignored-setting, and those of `requestedNameProblems`.
 */
export const aioRequests = defineAsset({
  name: 'aio/requests',
  needs: { install: installReading, reading: snoReading, release: releaseReading },
  tryMake: ({ install: { draft: install }, reading, release }, { inputs }) => {
    const { config, placeOf } = reading;
    const versions = aioVersions(config.controlPlane, release.release);
    const problems: readonly Problem[] = [
      ...(versions === undefined && reading.isSound('controlPlane.kubernetesVersion')
        ? [unknownVersion(placeOf(['controlPlane', 'kubernetesVersion']))]
        : []),
      ...(versions && reading.isSound('controlPlane')
        ? requestedNameProblems(
            config.controlPlane,
            { versions, programs: programSources.Kubernetes },
            placeOf,
          )
        : []),
      ...ignoredSettingProblems('aio', {
        sno: config,
        files: { 'install-config.yaml': install, 'sno-config.yaml': reading },
      }),
      ...ignoredFolders(inputs),
    ];
    return resultOf<ProgramVersions>(versions ?? { kubernetesMinor: 0, etcd: '3.0' }, problems);
  },
});

/** Warnings (aio/ignored-setting) for folders of manifests, which an all-in-one node does not apply. */
function ignoredFolders(inputs: Inputs): readonly Problem[] {
  return [...manifestFolders, postInstallFolder].flatMap((folder) =>
    (inputs.list(folder) ?? []).some(isManifestName)
      ? [
          ignoredSettingWarning(`${folder}/`, {
            on: 'aio',
            at: { file: folder },
            hint: 'apply them with kubectl when the node is Ready',
          }),
        ]
      : [],
  );
}
