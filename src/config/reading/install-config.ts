import { problem, type Problem } from '../../core/problem.js';
import { installConfigFields } from '../../fields/install-config-fields.generated.js';
import type { InstallConfig } from '../../fields/install-config-model.js';
import type { InstallConfigInput } from '../../fields/install-config-schema.js';
import type { Draft, TypedSchema } from '../../formats/field-schema.js';
import { fitSchema } from '../../formats/fit-schema.js';
import type { Inputs } from '../../graph/context.js';
import { applyDefaults } from '../install-defaults.js';
import { installRules } from '../rules/install/install-rules.js';
import { readConfigFile, type ConfigFile } from './config-file.js';
import { convertDeprecated, writtenPath } from './deprecated.js';
import { judgeConfig, type Judged } from './judge-config.js';

const installConfigFile = 'install-config.yaml';

/** install-config.yaml with its problems. */
export interface InstallReading {
  readonly problems: readonly Problem[];
  /** What could be read of it; with an error among the problems, not to be built on. */
  readonly draft?: InstallDraft;
}

/** install-config.yaml as far as it could be read, for problems that others find. */
export interface InstallDraft extends Omit<Judged, 'problems'> {
  readonly config: InstallConfig;
  readonly input: Draft<InstallConfigInput>;
}

/** Reads, fits and judges install-config.yaml. Problems: those of its fields and rules, and that it is missing. */
export function readInstallConfig(inputs: Inputs): InstallReading {
  const read = readConfigFile(inputs, installConfigFile);
  return read.kind === 'document'
    ? checkDocument(read)
    : { problems: read.kind === 'unusable' ? read.problems : [missing()] };
}

const schema: TypedSchema<InstallConfigInput> = {
  schema: installConfigFields,
  // Fields of agent-config.yaml, the file that another way to install has beside this one.
  // Source: openshift/installer pkg/types/agent/agent_config_type.go
  elsewhere: {
    rendezvousIP: 'write it as nodeIP in sno-config.yaml',
    additionalNTPSources: 'write it as ntpSources in sno-config.yaml',
    hosts:
      'write the hostname in sno-config.yaml and the disk as bootstrapInPlace.installationDisk; network settings of the live system are kernel arguments or files of the ISO',
    bootArtifactsBaseURL: 'take it out: the live ISO brings what it needs',
    minimalISO: 'take it out: the live ISO brings what it needs',
  },
};

function checkDocument({ root, problems }: Extract<ConfigFile, { kind: 'document' }>): InstallReading {
  const { draft: input, misfits } = fitSchema(schema, root);
  const config = applyDefaults(convertDeprecated(input));
  const { problems: found, ...judged } = judgeConfig({
    file: installConfigFile,
    root,
    misfits,
    rules: installRules,
    subject: { config, input },
    writtenPath: (path) => writtenPath(path, input),
  });
  return { problems: [...problems, ...found], draft: { ...judged, config, input } };
}

function missing(): Problem {
  const hint = 'run "sno-install create install-config", or name its directory with --dir';
  return problem('config/file-missing', `there is no ${installConfigFile}`, {
    at: { file: installConfigFile },
    hint,
  });
}
