import { problem } from '../../core/problem.js';
import { resultOf } from '../../core/result.js';
import type { TypedSchema } from '../../formats/field-schema.js';
import { fitSchema } from '../../formats/schema.js';
import { defineAsset } from '../../graph/asset.js';
import type { Inputs } from '../../graph/context.js';
import { judgeConfig, type Judged } from './check.js';
import { readConfigFile, type ConfigFile } from './config-file.js';
import { installReading, type InstallDraft } from './install-reading.js';
import { snoRules } from './rules/sno-rules.js';
import { snoConfigFields } from './sno-config-fields.generated.js';
import type { SnoConfig } from './sno-config-model.js';
import type { SnoConfigInput } from './sno-config-schema.js';
import { applySnoDefaults } from './sno-defaults.js';

const snoConfigFile = 'sno-config.yaml';

/** sno-config.yaml with its problems. */
export interface SnoReading extends Judged {
  /** All defaults when the file is absent; with an error among the problems, not to be built on. */
  readonly config: SnoConfig;
  /** Whether fields say what the user wants: not when the file could not be read. */
  readonly isRead: boolean;
}

/**
 * sno-config.yaml read and checked, whether it is sound or not. It is checked even when install-config.yaml has errors,
 * so that a run reports all there are.
 */
export const snoReading = defineAsset({
  name: 'config/sno-reading',
  needs: { install: installReading },
  make: ({ install }, { inputs }) => readSnoConfig(inputs, install.draft),
});

/** sno-config.yaml, checked, with defaults; all defaults when the file is absent. Problems: config/…, all that the file has. */
export const snoConfig = defineAsset({
  name: 'config/sno-config',
  needs: { reading: snoReading },
  tryMake: ({ reading: { config, problems } }) => resultOf(config, problems),
});

const schema: TypedSchema<SnoConfigInput> = { schema: snoConfigFields };

/**
 * `install` is what the node is checked against, when it is known.
 * @internal
 */
export function readSnoConfig(inputs: Inputs, install: InstallDraft | undefined): SnoReading {
  const read = readConfigFile(inputs, snoConfigFile);
  if (read.kind !== 'document') return withoutDocument(read);
  const { draft: input, misfits } = fitSchema(schema, read.root);
  const config = applySnoDefaults(input);
  const judged = judgeConfig({
    file: snoConfigFile,
    root: read.root,
    misfits,
    rules: snoRules,
    subject: { config, input, install },
  });
  return { ...judged, problems: [...read.problems, ...judged.problems], config, isRead: true };
}

function withoutDocument(read: Exclude<ConfigFile, { kind: 'document' }>): SnoReading {
  const isAbsent = read.kind === 'absent';
  const at = { file: snoConfigFile };
  return {
    problems: isAbsent ? [] : read.problems,
    config: applySnoDefaults({}),
    isRead: isAbsent,
    placeOf: () => at,
    judge: (findings) => findings.map(({ code, message, hint }) => problem(code, message, { at, hint })),
    isSound: () => isAbsent,
  };
}
