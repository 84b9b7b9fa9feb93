import { clusterFeatureSet, hasPayloadDefinedGates } from '../../config/feature-sets.js';
import {
  externalPlatformRender,
  previewedRender,
  unprovenRender,
  type ControlPlaneRender,
  unavailableRender,
  unknownFeatureGates,
  withoutPreview,
} from '../../config/reading/control-plane-render.js';
import type { InstallReading } from '../../config/reading/install-config.js';
import type { ReleaseReading } from '../../config/reading/release.js';
import type { Place, Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import type { OpenShiftRelease } from '../../release/openshift-release.js';
import { releases } from '../../release/releases.js';
import { installReading } from './install-reading.js';
import { releaseReading } from './release.js';
import { snoReading } from './sno-config.js';

/**
 * The renderer of the control plane: the release, unless sno-config.yaml selects `Installer`, or the control plane is only shown. Problems:
 * config/render-unavailable, config/render-unproven, config/render-preview.
 */
export const controlPlaneRender = defineAsset({
  name: 'config/control-plane-render',
  needs: { reading: snoReading, release: releaseReading, install: installReading },
  tryMake: (
    { reading, release, install },
    { environment: { showsControlPlane = false } },
  ): Result<ControlPlaneRender> => {
    const { render } = reading.config.controlPlane;
    const isShown = render === 'Release' && showsControlPlane;
    if ((render === 'Release' && !isShown) || !reading.isSound('controlPlane.render'))
      return success({ by: 'Release' });
    const at = reading.placeOf(['controlPlane', 'render']);
    const found = payloadOf({ release, install, at, isShown });
    if ('code' in found) return failure(isShown ? withoutPreview(found, at, release.release) : found);
    return success({ by: 'Installer', payload: found }, [isShown ? previewedRender(at) : unprovenRender(at)]);
  },
});

interface Wanted {
  readonly release: ReleaseReading;
  readonly install: InstallReading;
  readonly at: Place;
  readonly isShown: boolean;
}

/** The release whose control plane can be rendered, or why there is none. */
function payloadOf({ release: { release }, install, at, isShown }: Wanted): OpenShiftRelease | Problem {
  const payload = release.version && releases.knownAs(release.version);
  if (payload?.offersInstaller !== true) return unavailableRender(release, payload, at);
  if (install.draft?.config.platform.external !== undefined) return externalPlatformRender(at);
  const given = install.draft?.config.featureSet ?? '';
  const featureSet = clusterFeatureSet(given, release);
  // With Installer, a feature set in the config is checked by a rule of sno-config.yaml.
  return (isShown || featureSet !== given) && hasPayloadDefinedGates(featureSet)
    ? unknownFeatureGates(featureSet, at)
    : payload;
}
