import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { newestKubernetesMinor, oldestKubernetesMinor } from '../control-plane/flags/flag-table.js';
import { namesGatesOfPayload } from './feature-sets.js';
import { installConfig } from './install-config.js';
import type { ReleaseVersion } from './release-version.js';
import { release } from './release.js';
import { snoConfig, snoReading } from './sno-config.js';

/**
 * Who makes the control plane of the live system: sno-install itself (`Installer`), or the operators of the payload on the
 * node (`Release`). `kubernetesMinor` is that of the payload's Kubernetes 1.x.
 */
export type ControlPlaneRender =
  { readonly by: 'Installer'; readonly kubernetesMinor: number } | { readonly by: 'Release' };

/**
 * As the user chose; else Installer wherever it can be had. Problems: config/render-unavailable.
 */
export const controlPlaneRender = defineAsset({
  name: 'config/control-plane-render',
  needs: { install: installConfig, sno: snoConfig, reading: snoReading, release },
  tryMake: ({ install, sno, reading, release }): Result<ControlPlaneRender> => {
    const { render } = sno.controlPlane;
    if (render === 'Release') return success({ by: 'Release' });
    const { version } = release;
    const kubernetesMinor = kubernetesMinorOf(version);
    if (render === undefined && (!isKnown(kubernetesMinor) || namesGatesOfPayload(install.featureSet)))
      return success({ by: 'Release' });
    if (!isKnown(kubernetesMinor))
      return failure(
        problem(
          'config/render-unavailable',
          version === undefined
            ? 'controlPlane.render Installer needs the version of the release, which its pull spec does not say'
            : `controlPlane.render Installer cannot be had for release ${version.text}, whose flags are not known`,
          {
            at: reading.placeOf(['controlPlane', 'render']),
            hint: 'write "render: Release", or give releaseVersion',
          },
        ),
      );
    return success({ by: 'Installer', kubernetesMinor });
  },
});

/**
 * OpenShift 4.14 came with Kubernetes 1.27, and each minor after it with the next; what follows 4 is not known here.
 * Source: docs.redhat.com, release notes
 */
function kubernetesMinorOf(version: ReleaseVersion | undefined): number {
  return version?.major === 4 ? version.minor + 13 : 0;
}

/** Whether the flags of this minor are in the table. */
function isKnown(kubernetesMinor: number): boolean {
  return kubernetesMinor >= oldestKubernetesMinor && kubernetesMinor <= newestKubernetesMinor;
}
