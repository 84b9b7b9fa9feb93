import { type Place, type Problem, problem } from '../../core/problem.js';
import type { OpenShiftRelease } from '../../release/openshift-release.js';
import { releases } from '../../release/releases.js';
import type { Release } from './release.js';

/**
 * Who makes the control plane of the live system: sno-install itself (`Installer`), as the operators of `payload` would, or
 * these operators on the node (`Release`).
 */
export type ControlPlaneRender =
  { readonly by: 'Installer'; readonly payload: OpenShiftRelease } | { readonly by: 'Release' };

/** What was run and what was not: docs/control-plane.md. */
export function unproven(at: Place): Problem {
  return problem(
    'config/render-unproven',
    'controlPlane.render Installer has been judged by single programs of OpenShift, and not yet by a whole cluster',
    { at, hint: 'leave it out to have the release render its control plane' },
  );
}

/** The problem config/render-unavailable: why the control plane of this release cannot be rendered. */
export function unavailable(
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

/** The problem config/render-unavailable: which gates a feature set turns on stands in the payload, which only the node can read. */
export function unknownGates(featureSet: string, at: Place): Problem {
  return problem(
    'config/render-unavailable',
    `controlPlane.render Installer cannot be had with featureSet ${featureSet}, which a release of OKD has when none is given`,
    { at, hint: 'write "render: Release", or leave it out' },
  );
}

/** What older etcd operators do otherwise; from the first release of Installer on they look where the authorities are rendered. */
function oldSigners({ etcd }: OpenShiftRelease): string {
  const first = releases.firstWith(({ offersInstaller }) => offersInstaller).version.text;
  return `its etcd operator looks for its authorities in ${etcd.signerNamespaces[0] ?? ''}, as it did before ${first}`;
}
