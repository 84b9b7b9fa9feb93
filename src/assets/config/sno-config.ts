import { isError, type Place, type Problem } from '../../core/problem.js';
import { resultOf } from '../../core/result.js';
import type { TypedSchema } from '../../formats/field-schema.js';
import { fitSchema } from '../../formats/schema.js';
import type { FieldPath } from '../../formats/yaml-tree.js';
import { defineAsset } from '../../graph/asset.js';
import type { Inputs } from '../../graph/context.js';
import { placeIn, problemsOfConfig } from './check.js';
import { readConfigFile } from './config-file.js';
import type { InstallConfig } from './install-config-model.js';
import { installReading, type InstallReading } from './install-reading.js';
import { snoRules } from './rules/sno-rules.js';
import { snoConfigFields } from './sno-config-fields.generated.js';
import type { SnoConfig } from './sno-config-model.js';
import type { SnoConfigInput } from './sno-config-schema.js';
import { applySnoDefaults } from './sno-defaults.js';

const snoConfigFile = 'sno-config.yaml';

/** sno-config.yaml with its problems. */
export interface SnoReading {
  readonly problems: readonly Problem[];
  /** All defaults when the file is absent; with an error among the problems, not to be built on. */
  readonly config: SnoConfig;
  /** Where a field stands, for problems that others find. */
  readonly placeOf: (path: FieldPath) => Place;
}

/**
 * sno-config.yaml read and checked, whether it is sound or not. It is checked even when install-config.yaml has errors,
 * so that a run reports all there are.
 */
export const snoReading = defineAsset({
  name: 'config/sno-reading',
  needs: { install: installReading },
  make: ({ install }, { inputs }) => readSnoConfig(inputs, soundConfig(install)),
});

/** sno-config.yaml, checked, with defaults; all defaults when the file is absent. Problems: config/…, all that the file has. */
export const snoConfig = defineAsset({
  name: 'config/sno-config',
  needs: { reading: snoReading },
  tryMake: ({ reading: { config, problems } }) => resultOf(config, problems),
});

const schema: TypedSchema<SnoConfigInput> = { schema: snoConfigFields };

/** `install` is what the node is checked against, when it is known. */
export function readSnoConfig(inputs: Inputs, install: InstallConfig | undefined): SnoReading {
  const read = readConfigFile(inputs, snoConfigFile);
  if (read.kind !== 'document') {
    const placeOf = (): Place => ({ file: snoConfigFile });
    return { problems: read.kind === 'unusable' ? read.problems : [], config: applySnoDefaults({}), placeOf };
  }
  const { draft: input, misfits } = fitSchema(schema, read.root);
  const file = { file: snoConfigFile, root: read.root };
  const config = applySnoDefaults(input);
  const found = problemsOfConfig({ ...file, misfits, rules: snoRules, subject: { config, input, install } });
  return { problems: [...read.problems, ...found], config, placeOf: (path) => placeIn(file, path) };
}

/** Judging a node by networks that are wrong themselves would only confuse. */
function soundConfig({ draft, problems }: InstallReading): InstallConfig | undefined {
  const concernsNetworks = ({ at }: Problem): boolean => at?.path?.startsWith('networking') ?? true;
  return problems.some((found) => isError(found) && concernsNetworks(found)) ? undefined : draft?.config;
}
