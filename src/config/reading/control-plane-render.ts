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
    'controlPlane.render Installer is tested with single OpenShift programs, but not yet with a whole cluster',
    { at, hint: 'leave it out to have the release render its control plane' },
  );
}

/** Warning config/render-preview: the node gets other files. */
export function previewedRender(at: Place): Problem {
  return problem(
    'config/render-preview',
    'the control plane is a preview: with controlPlane.render Release, the operators of the release render it on the node',
    { at, hint: 'docs/control-plane.md lists the differences' },
  );
}

/** Why there is no preview: the reason why sno-install cannot render the control plane. */
export function withoutPreview({ message }: Problem, at: Place, { version }: Release): Problem {
  return problem('config/render-unavailable', `no preview of the control plane: ${message}`, {
    at,
    hint: version === undefined ? 'set releaseVersion' : undefined,
  });
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
      'controlPlane.render Installer needs the release version, and the pull spec does not contain it',
      { at, hint: 'write "render: Release", or set releaseVersion' },
    );
  const message = `controlPlane.render Installer is not supported for release ${version.text}`;
  const reason =
    payload?.isOffered === true
      ? `${message}: ${oldSigners(payload)}`
      : `${message}: sno-install cannot render its control plane`;
  return problem('config/render-unavailable', reason, { at, hint: 'write "render: Release"' });
}

/** Problem config/render-unavailable: only the payload lists the gates of the feature set, and only the node can read it. */
export function unknownFeatureGates(featureSet: string, at: Place): Problem {
  return problem(
    'config/render-unavailable',
    `controlPlane.render Installer is not supported with featureSet ${featureSet}${featureSet === 'OKD' ? ', the default of OKD releases' : ''}`,
    { at, hint: 'write "render: Release", or leave it out' },
  );
}

/** Problem config/render-unavailable: the flags of the cloud provider are not rendered. */
export function externalPlatformRender(at: Place): Problem {
  return problem(
    'config/render-unavailable',
    'controlPlane.render Installer is not supported with platform external',
    { at, hint: 'write "render: Release", or leave it out' },
  );
}

/** Older etcd operators read their signers in another namespace; from the first release with Installer on, they read the rendered ones. */
function oldSigners({ etcd }: OpenShiftRelease): string {
  const first = releases.firstWith(({ offersInstaller }) => offersInstaller).version.text;
  return `its etcd operator reads its signers from namespace ${etcd.signerNamespaces[0] ?? ''}; ${first} is the first supported release`;
}
