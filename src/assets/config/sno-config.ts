import { readSnoConfig } from '../../config/reading/sno-config.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { installReading } from './install-reading.js';

/**
 * sno-config.yaml parsed and validated, even with errors. Checked even if install-config.yaml has errors, so that one run
 * reports every problem.
 */
export const snoReading = defineAsset({
  name: 'config/sno-reading',
  needs: { install: installReading },
  make: ({ install }, { inputs }) => readSnoConfig(inputs, install.draft),
});

/**
 * The validated sno-config.yaml, with defaults and command-line options applied; all defaults if the file does not exist.
 * Problems: config/…, all of the file.
 */
export const snoConfig = defineAsset({
  name: 'config/sno-config',
  needs: { reading: snoReading },
  tryMake: ({ reading: { config, problems } }, { environment: { kernelArguments = [] } }) =>
    resultOf({ ...config, kernelArguments: [...config.kernelArguments, ...kernelArguments] }, problems),
});
