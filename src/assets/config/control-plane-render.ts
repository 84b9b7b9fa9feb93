import { problem, type Place, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import type { OpenShiftRelease } from '../../release/openshift-release.js';
import { releases } from '../../release/releases.js';
import { releaseReading, type Release } from './release.js';
import { snoReading } from './sno-config.js';

/**
 * Who makes the control plane of the live system: sno-install itself (`Installer`), as the operators of `payload` would, or
 * these operators on the node (`Release`).
 */
export type ControlPlaneRender =
  { readonly by: 'Installer'; readonly payload: OpenShiftRelease } | { readonly by: 'Release' };

/**
 * As the user chose: the release renders unless sno-config.yaml asks for Installer. Problems:
 * config/render-unavailable, config/render-unproven.
 */
export const controlPlaneRender = defineAsset({
  name: 'config/control-plane-render',
  needs: { reading: snoReading, release: releaseReading },
  tryMake: ({ reading, release: { release } }): Result<ControlPlaneRender> => {
    const { render } = reading.config.controlPlane;
    if (render === 'Release' || !reading.isSound('controlPlane.render')) return success({ by: 'Release' });
    const at = reading.placeOf(['controlPlane', 'render']);
    const payload = release.version && releases.knownAs(release.version);
    if (payload?.offersInstaller !== true) return failure(unavailable(release, payload, at));
    return success({ by: 'Installer', payload }, [unproven(at)]);
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

function unavailable(
  { version }: Release,
  payload: OpenShiftRelease | undefined,
  at: Place | undefined,
): Problem {
  if (version === undefined)
    return problem(
      'config/render-unavailable',
      'controlPlane.render Installer needs the version of the release, which its pull spec does not say',
      { at, hint: 'write "render: Release", or give releaseVersion' },
    );
  const message = `controlPlane.render Installer cannot be had for release ${version.text}`;
  const reason =
    payload?.isOffered === true
      ? `${message}: ${oldSigners(payload)}`
      : `${message}, whose control plane is not known`;
  return problem('config/render-unavailable', reason, { at, hint: 'write "render: Release"' });
}

/** What older etcd operators do otherwise; from the first release of Installer on they look where the authorities are rendered. */
function oldSigners({ etcd }: OpenShiftRelease): string {
  const first = releases.firstWith(({ offersInstaller }) => offersInstaller).version.text;
  return `its etcd operator looks for its authorities in ${etcd.signerNamespaces[0] ?? ''}, as it did before ${first}`;
}
