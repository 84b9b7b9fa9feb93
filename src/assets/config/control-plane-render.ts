import { unproven, type ControlPlaneRender, unavailable } from '../../config/reading/control-plane-render.js';
import { failure, success, type Result } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { releases } from '../../release/releases.js';
import { releaseReading } from './release.js';
import { snoReading } from './sno-config.js';

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
