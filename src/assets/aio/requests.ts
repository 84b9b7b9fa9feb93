import { problem, type Problem } from '../../core/problem.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { defaultKubernetesVersion } from '../../release/kubernetes.js';
import { installReading } from '../config/install-reading.js';
import { releaseReading } from '../config/release.js';
import { snoReading } from '../config/sno-config.js';
import { requestedNameProblems } from '../control-plane/requested-names.js';
import type { Versions } from '../control-plane/inputs.js';
import { ignoredFolders, ignoredSettings } from './ignored-settings.js';
import { aioVersions } from './release.js';

/**
 * What runs on the node, with what of the configs it cannot do. It is asked whether the configs are sound or not, so that a
 * run reports all there is. Problems: config/kubernetes-version,
 * aio/ignored-setting, and those of `requestedNameProblems`.
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
        ? requestedNameProblems(config.controlPlane, { versions, profile: 'Kubernetes' }, placeOf)
        : []),
      ...(install ? ignoredSettings(install.config, config, { install: install.placeOf, sno: placeOf }) : []),
      ...ignoredFolders(inputs),
    ];
    return resultOf<Versions>(versions ?? { kubernetesMinor: 0, etcd: '3.0' }, problems);
  },
});

function unknownVersion(at: Problem['at']): Problem {
  const message = 'the version of Kubernetes is not known: neither kubernetesVersion nor the release says it';
  return problem('config/kubernetes-version', message, {
    at,
    hint: `add "kubernetesVersion: ${defaultKubernetesVersion}", or give releaseVersion`,
  });
}
