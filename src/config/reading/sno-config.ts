import { problem } from '../../core/problem.js';
import snoConfigFields from '#schemas/sno-config' with { type: 'json' };
import { refusedNetworkFields } from '../schema/refused-network-fields.js';
import type { SnoConfig, SnoConfigInput } from '../schema/sno-config-schema.js';
import type { Draft, TypedSchema } from '../../formats/field-schema.js';
import { applySchema } from '../../formats/apply-schema.js';
import type { Inputs } from '../../graph/context.js';
import { snoRules } from '../rules/sno/sno-rules.js';
import { applySnoDefaults } from '../sno-defaults.js';
import { readConfigFile, type ConfigFile } from './config-file.js';
import type { InstallDraft } from './install-config.js';
import { validateConfig, type ValidatedConfig } from './validate-config.js';

const snoConfigFile = 'sno-config.yaml';

export interface SnoReading extends ValidatedConfig {
  /** All defaults if the file is absent. Must not be used for outputs if the problems contain an error. */
  readonly config: SnoConfig;
  /** The user's fields that fit the schema, without defaults. */
  readonly input: Draft<SnoConfigInput>;
  /** False if the file could not be read, so that the fields are not the user's. */
  readonly isRead: boolean;
}

const schema: TypedSchema<SnoConfigInput> = {
  schema: snoConfigFields,
  elsewhere: refusedNetworkFields,
  // Source: nmstate rust/src/lib/route.rs, route_rule.rs
  quotedFields: {
    below: 'network',
    signed: ['network.routes.config.metric', 'network.route-rules.config.priority'],
  },
};

/** `install` is used for checks that need both configs, if known. */
export function readSnoConfig(inputs: Inputs, install: InstallDraft | undefined): SnoReading {
  const read = readConfigFile(inputs, snoConfigFile);
  if (read.kind !== 'document') return withoutDocument(read);
  const { draft: input, misfits } = applySchema(schema, read.root);
  const config = applySnoDefaults(input, install?.config.networking);
  const judged = validateConfig({
    file: snoConfigFile,
    root: read.root,
    misfits,
    refusesPlaceholders: true,
    rules: snoRules,
    subject: { config, input, install },
  });
  return { ...judged, problems: [...read.problems, ...judged.problems], config, input, isRead: true };
}

function withoutDocument(read: Exclude<ConfigFile, { kind: 'document' }>): SnoReading {
  const isAbsent = read.kind === 'absent';
  const at = { file: snoConfigFile };
  return {
    problems: isAbsent ? [] : read.problems,
    config: applySnoDefaults({}),
    input: {},
    isRead: isAbsent,
    placeOf: () => at,
    judge: (findings) => findings.map(({ code, message, hint }) => problem(code, message, { at, hint })),
    isSound: () => isAbsent,
  };
}
