import { installerVariable, joinedInstallers } from '../../config/reading/installer-arguments.js';
import { readSnoConfig } from '../../config/reading/sno-config.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import { environmentInputs, environmentOf, type Variables } from '../../disk/environment.js';
import type { Inputs } from '../../graph/context.js';

/** The settings of a site that decide on a disk that is not empty. */
export interface DiskSettings {
  readonly reinstall: SnoConfig['reinstall'];
  /** Partitions that are kept: patterns for GPT labels, and numbers. */
  readonly kept: readonly string[];
}

export function diskSettings(inputs: Inputs, variables: Variables): DiskSettings {
  const { config } = readSnoConfig(inputs, undefined);
  const { coreosInstallerArguments = '' } = environmentOf(environmentInputs(variables));
  const { savePartitionLabels, savePartitionIndexes } = joinedInstallers(
    config.coreosInstaller,
    installerVariable(coreosInstallerArguments).settings,
  );
  return {
    reinstall: config.reinstall,
    kept: [...savePartitionLabels, ...savePartitionIndexes.map((index) => `number ${index}`)],
  };
}
