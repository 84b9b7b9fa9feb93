import { readSnoConfig } from '../../config/reading/sno-config.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { installReading } from './install-reading.js';

/**
 * sno-config.yaml read and checked, whether it is sound or not. It is checked even when install-config.yaml has errors,
 * so that a run reports all there are.
 */
export const snoReading = defineAsset({
  name: 'config/sno-reading',
  needs: { install: installReading },
  make: ({ install }, { inputs }) => readSnoConfig(inputs, install.draft),
});

/**
 * sno-config.yaml, checked, with defaults, and what options of the command say beside it; all defaults when the file is absent.
 * Problems: config/…, all that the file has.
 */
export const snoConfig = defineAsset({
  name: 'config/sno-config',
  needs: { reading: snoReading },
  tryMake: ({ reading: { config, problems } }, { environment: { kernelArguments = [] } }) =>
    resultOf({ ...config, kernelArguments: [...config.kernelArguments, ...kernelArguments] }, problems),
});
