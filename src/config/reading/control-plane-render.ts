import { type Place, type Problem, problem } from '../../core/problem.js';
import type { OpenShiftRelease } from '../../release/openshift-release.js';
import { releases } from '../../release/releases.js';
import type { Release } from './release.js';

/**
 * The renderer of the live system's control plane: sno-install (`Installer`), with the output of the operators of `payload`, or
 * these operators on the node (`Release`).
 */
export type ControlPlaneRender =
  { readonly by: 'Installer'; readonly payload: OpenShiftRelease } | { readonly by: 'Release' };

/** Problem config/render-unproven. docs/control-plane.md lists the tests. */
export function unprovenRender(at: Place): Problem {
  return problem(
    'config/render-unproven',
    'controlPlane.render Installer has been judged by single programs of OpenShift, and not yet by a whole cluster',
    { at, hint: 'leave it out to have the release render its control plane' },
  );
}

/** Problem config/render-unavailable: sno-install cannot render the control plane of this release. */
export function unavailableRender(
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

/** Problem config/render-unavailable: only the payload lists the gates of the feature set, and only the node can read it. */
export function unknownFeatureGates(featureSet: string, at: Place): Problem {
  return problem(
    'config/render-unavailable',
    `controlPlane.render Installer cannot be had with featureSet ${featureSet}, which a release of OKD has when none is given`,
    { at, hint: 'write "render: Release", or leave it out' },
  );
}

/** Older etcd operators read their signers in another namespace; from the first release with Installer on, they read the rendered ones. */
function oldSigners({ etcd }: OpenShiftRelease): string {
  const first = releases.firstWith(({ offersInstaller }) => offersInstaller).version.text;
  return `its etcd operator looks for its authorities in ${etcd.signerNamespaces[0] ?? ''}, as it did before ${first}`;
}
