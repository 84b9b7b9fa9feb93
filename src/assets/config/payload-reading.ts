import { readPayload, type PayloadReading } from '../../config/reading/payload.js';
import { defineAsset } from '../../graph/asset.js';
import { snoReading } from './sno-config.js';

/** The manifest of the payload. The problems are part of the value, so this asset never fails. */
export const payloadReading = defineAsset({
  name: 'config/payload-reading',
  needs: { sno: snoReading },
  make: ({ sno }, { inputs, environment }): PayloadReading =>
    environment.createsPayload === true ? { problems: [] } : readPayload(sno, inputs),
});
