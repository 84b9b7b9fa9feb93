import { isError, type Problem } from '../../core/problem.js';
import { failure, resultOf, success, type Result } from '../../core/result.js';
import type { TypedSchema } from '../../formats/field-schema.js';
import { fitSchema } from '../../formats/schema.js';
import { defineAsset } from '../../graph/asset.js';
import type { Inputs } from '../../graph/context.js';
import { problemsOfConfig } from './check.js';
import { readConfigFile } from './config-file.js';
import type { InstallConfig } from './install-config-model.js';
import { installReading, type InstallReading } from './install-reading.js';
import { snoRules } from './rules/sno-rules.js';
import { snoConfigFields } from './sno-config-fields.js';
import type { SnoConfig } from './sno-config-model.js';
import type { SnoConfigInput } from './sno-config-schema.js';
import { applySnoDefaults } from './sno-defaults.js';

export const snoConfigFile = 'sno-config.yaml';

/**
 * sno-config.yaml, checked, with defaults; all defaults when the file is absent. It is checked even when
 * install-config.yaml has errors, so that a run reports all there are. Problems: config/…, all that the file has.
 */
export const snoConfig = defineAsset({
  name: 'config/sno-config',
  needs: { install: installReading },
  tryMake: ({ install }, { inputs }) => readSnoConfig(inputs, soundConfig(install)),
});

const schema: TypedSchema<SnoConfigInput> = { schema: snoConfigFields };

export function readSnoConfig(inputs: Inputs, install: InstallConfig | undefined): Result<SnoConfig> {
  const read = readConfigFile(inputs, snoConfigFile);
  if (read.kind === 'absent') return success(applySnoDefaults({}));
  if (read.kind === 'unusable') return failure(...read.problems);
  const { draft: input, misfits } = fitSchema(schema, read.root);
  const config = applySnoDefaults(input);
  const subject = { config, input, install };
  const found = problemsOfConfig({ file: snoConfigFile, root: read.root, misfits, rules: snoRules, subject });
  return resultOf(config, [...read.problems, ...found]);
}

/** Judging a node by networks that are wrong themselves would only confuse. */
function soundConfig({ draft, problems }: InstallReading): InstallConfig | undefined {
  const concernsNetworks = ({ at }: Problem): boolean => at?.path?.startsWith('networking') ?? true;
  return problems.some((found) => isError(found) && concernsNetworks(found)) ? undefined : draft?.config;
}
