import { readPayload, type PayloadReading } from '../../config/reading/payload.js';
import { defineAsset } from '../../graph/asset.js';
import { snoReading } from './sno-config.js';

/**
 * The manifest of the payload. The problems are part of the value, so this asset never fails. `create payload` needs no manifest, and
 * uses the release of the one that it replaces.
 */
export const payloadReading = defineAsset({
  name: 'config/payload-reading',
  needs: { sno: snoReading },
  make: ({ sno }, { inputs, environment: { payloadUse } }): PayloadReading => {
    const reading = readPayload(sno, inputs);
    if (payloadUse === undefined) return reading;
    const { payload, problems } = reading;
    return {
      problems: payloadUse === 'create' ? [] : problems,
      ...(payload && { uncompared: payload.manifest }),
    };
  },
});
