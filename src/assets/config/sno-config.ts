import { installerVariable, joinedInstallers } from '../../config/reading/installer-arguments.js';
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
 * The validated sno-config.yaml, with defaults, environment variables and command-line options applied; all defaults if the file does not
 * exist. Problems: config/…, all of the file; usage/environment.
 */
export const snoConfig = defineAsset({
  name: 'config/sno-config',
  needs: { reading: snoReading },
  tryMake: (
    { reading: { config, problems } },
    { environment: { kernelArguments = [], coreosInstallerArguments = '' } },
  ) => {
    const given = installerVariable(coreosInstallerArguments);
    return resultOf(
      {
        ...config,
        kernelArguments: [...config.kernelArguments, ...kernelArguments],
        coreosInstaller: joinedInstallers(config.coreosInstaller, given.settings),
      },
      [...problems, ...given.problems],
    );
  },
});
