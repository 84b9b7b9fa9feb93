import { clusterFeatureSet, hasPayloadDefinedGates } from '../../config/feature-sets.js';
import {
  externalPlatformRender,
  unprovenRender,
  type ControlPlaneRender,
  unavailableRender,
  unknownFeatureGates,
} from '../../config/reading/control-plane-render.js';
import { failure, success, type Result } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { releases } from '../../release/releases.js';
import { installReading } from './install-reading.js';
import { releaseReading } from './release.js';
import { snoReading } from './sno-config.js';

/**
 * The renderer of the control plane: the release, unless sno-config.yaml selects `Installer`. Problems:
 * config/render-unavailable, config/render-unproven.
 */
export const controlPlaneRender = defineAsset({
  name: 'config/control-plane-render',
  needs: { reading: snoReading, release: releaseReading, install: installReading },
  tryMake: ({ reading, release: { release }, install }): Result<ControlPlaneRender> => {
    const { render } = reading.config.controlPlane;
    if (render === 'Release' || !reading.isSound('controlPlane.render')) return success({ by: 'Release' });
    const at = reading.placeOf(['controlPlane', 'render']);
    const payload = release.version && releases.knownAs(release.version);
    if (payload?.offersInstaller !== true) return failure(unavailableRender(release, payload, at));
    if (install.draft?.config.platform.external !== undefined) return failure(externalPlatformRender(at));
    const given = install.draft?.config.featureSet ?? '';
    const featureSet = clusterFeatureSet(given, release);
    // A feature set in the config is checked by a rule of sno-config.yaml.
    if (featureSet !== given && hasPayloadDefinedGates(featureSet))
      return failure(unknownFeatureGates(featureSet, at));
    return success({ by: 'Installer', payload }, [unprovenRender(at)]);
  },
});
