import { requestedNameProblems } from '../../control-plane/requested-names.js';
import { resultOf, success, type Result } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { versionsOf } from '../../control-plane/loops/loop-inputs.js';
import { programSources } from '../../release/flags/program-sources.js';
import { controlPlaneRender } from '../config/control-plane-render.js';
import { snoReading } from '../config/sno-config.js';

/**
 * Checks that the payload's programs support the flags under `controlPlane`. Checked even if the configs have errors, so that one
 * run reports every problem. Problems: control-plane/unknown-flag.
 */
export const requestedNames = defineAsset({
  name: 'control-plane/requested-names',
  needs: { reading: snoReading, render: controlPlaneRender },
  tryMake: ({ reading, render }): Result<undefined> => {
    if (render.by === 'Release' || !reading.isSound('controlPlane')) return success(undefined);
    const versions = versionsOf(render.payload);
    const { controlPlane } = reading.config;
    return resultOf(
      undefined,
      requestedNameProblems(controlPlane, { versions, programs: programSources.OpenShift }, reading.placeOf),
    );
  },
});
