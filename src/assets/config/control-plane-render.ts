import { problem, type Place, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { newestKubernetesMinor, oldestKubernetesMinor } from '../control-plane/flags/flag-table.js';
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
 * As the user chose: the release renders unless sno-config.yaml asks for Installer. Problems:
 * config/render-unavailable, config/render-unproven.
 */
export const controlPlaneRender = defineAsset({
  name: 'config/control-plane-render',
  needs: { sno: snoConfig, reading: snoReading, release },
  tryMake: ({ sno, reading, release }): Result<ControlPlaneRender> => {
    if (sno.controlPlane.render === 'Release') return success({ by: 'Release' });
    const at = reading.placeOf(['controlPlane', 'render']);
    const fault = installerFault(release.version);
    if (fault !== undefined)
      return failure(
        problem('config/render-unavailable', `controlPlane.render Installer ${fault.what}`, {
          at,
          hint: fault.hint,
        }),
      );
    return success({ by: 'Installer', kubernetesMinor: kubernetesMinorOf(release.version) }, [unproven(at)]);
  },
});

/** What was run and what was not: docs/control-plane.md. */
function unproven(at: Place): Problem {
  return problem(
    'config/render-unproven',
    'controlPlane.render Installer has been judged by single programs of OpenShift, and not yet by a whole cluster',
    { at, hint: 'leave it out to have the release render its control plane' },
  );
}

/** What keeps a release from being rendered here, as the end of a sentence. */
function installerFault(
  version: ReleaseVersion | undefined,
): { readonly what: string; readonly hint: string } | undefined {
  if (version === undefined)
    return {
      what: 'needs the version of the release, which its pull spec does not say',
      hint: 'write "render: Release", or give releaseVersion',
    };
  if (version.major === 4 && version.minor < oldestInstallerMinor)
    return {
      what: `cannot be had for release ${version.text}: its etcd operator looks for its authorities in openshift-config, as it did before 4.${oldestInstallerMinor}`,
      hint: 'write "render: Release"',
    };
  if (!isKnown(kubernetesMinorOf(version)))
    return {
      what: `cannot be had for release ${version.text}, whose flags are not known`,
      hint: 'write "render: Release"',
    };
  return undefined;
}

/**
 * From 4.17 on the etcd operator has the authorities that it signs with in its own namespace, where they are rendered.
 * Source: openshift/cluster-etcd-operator pkg/operator/etcdcertsigner, release-4.16 and release-4.17.
 */
const oldestInstallerMinor = 17;

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
