import { problem, type Place, type Problem } from '../../core/problem.js';
import installConfigFields from '#schemas/install-config' with { type: 'json' };
import type { InstallConfig, InstallConfigInput } from '../schema/install-config-schema.js';
import type { Draft, SchemaViolation, TypedSchema } from '../../formats/field-schema.js';
import { applySchema } from '../../formats/apply-schema.js';
import { spanOf, type Target, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import type { OpenShiftRelease } from '../../release/openshift-release.js';
import { releases } from '../../release/releases.js';
import { applyDefaults } from '../install-defaults.js';
import { installRules } from '../rules/install/install-rules.js';
import { readConfigFile, type ConfigFile } from './config-file.js';
import { convertDeprecated, writtenPath } from './deprecated.js';
import { validateConfig, type ValidatedConfig } from './validate-config.js';
import {
  readReferencedTexts,
  referencedFields,
  type ReferencedField,
  type ReferencedText,
  type ReferencedTexts,
} from './referenced-texts.js';

const installConfigFile = 'install-config.yaml';

export interface InstallReading {
  readonly problems: readonly Problem[];
  /** The readable part of the config. Must not be used for outputs if the problems contain an error. */
  readonly draft?: InstallDraft;
}

/** The readable part of install-config.yaml, for checks that need other inputs too. */
export interface InstallDraft extends Omit<ValidatedConfig, 'problems'> {
  readonly config: InstallConfig;
  readonly input: Draft<InstallConfigInput>;
}

/**
 * Reads and checks install-config.yaml, including values that sno-config.yaml references. Problems: those of the schema
 * and rules, config/file-missing, config/reference, config/given-twice.
 */
export function readInstallConfig(inputs: Inputs): InstallReading {
  const read = readConfigFile(inputs, installConfigFile);
  const referenced = readReferencedTexts(inputs);
  if (read.kind === 'document') return checkDocument(read, referenced);
  const problems = read.kind === 'unusable' ? read.problems : [missing()];
  return { problems: [...problems, ...referenced.problems] };
}

const schema: TypedSchema<InstallConfigInput> = {
  schema: installConfigFields,
  // Fields of agent-config.yaml, the second config file of the agent-based installer.
  // Source: openshift/installer pkg/types/agent/agent_config_type.go
  elsewhere: {
    rendezvousIP: 'write it as nodeIP in sno-config.yaml',
    additionalNTPSources: 'write it as ntpSources in sno-config.yaml',
    hosts:
      'write the hostname in sno-config.yaml and the disk as bootstrapInPlace.installationDisk; network settings of the live system are kernel arguments or files of the ISO',
    bootArtifactsBaseURL: 'remove it: the live ISO contains everything it needs',
    minimalISO: 'remove it: the live ISO contains everything it needs',
    ...Object.fromEntries(releases.all.map(capabilitySetHint)),
  },
};

/** Hint for a baseline set that does not exist, because its release is newer than the last numbered set. Existing sets never use it. */
function capabilitySetHint({ version, capabilitySet }: OpenShiftRelease): readonly [string, string] {
  const hint = `write vCurrent for everything that release ${version.text} has; its newest numbered set is ${capabilitySet}`;
  return [`capabilities.baselineCapabilitySet=v${version.text}`, hint];
}

function checkDocument(
  { root, problems }: Extract<ConfigFile, { kind: 'document' }>,
  { texts, problems: unread }: ReferencedTexts,
): InstallReading {
  const { draft: input, misfits } = applySchema(schema, root);
  const fields = referencedFields.flatMap((name) => {
    const reference = texts[name];
    return reference === undefined ? [] : [{ name, reference }];
  });
  const twice = fields.filter(({ name }) => (input[name] ?? '').trim() !== '');
  const written = { root, input, misfits };
  const { found, draft } = judge(
    written,
    fields.filter((field) => !twice.includes(field)),
  );
  const ofOthers = twice.length === 0 ? [] : judge(written, twice).found.filter(isOutside);
  return {
    problems: [
      ...problems,
      ...found,
      ...unread,
      ...twice.flatMap((field) => givenTwice(field, root)),
      ...ofOthers,
    ],
    draft,
  };
}

interface Written {
  readonly root: YamlNode;
  readonly input: Draft<InstallConfigInput>;
  readonly misfits: readonly SchemaViolation[];
}

/** Checks a config with its referenced values. */
function judge(
  { root, input: inline, misfits }: Written,
  elsewhere: readonly FieldElsewhere[],
): { readonly found: readonly Problem[]; readonly draft: InstallDraft } {
  const values = Object.fromEntries(elsewhere.map(({ name, reference }) => [name, reference.text]));
  const input: Draft<InstallConfigInput> = { ...inline, ...values };
  const config = applyDefaults(convertDeprecated(input));
  const { problems: found, ...judged } = validateConfig({
    file: installConfigFile,
    root,
    misfits: misfits.filter((misfit) => !isMissingOf(misfit, elsewhere)),
    refusesPlaceholders: true,
    rules: installRules,
    subject: { config, input, referenced: new Set(elsewhere.map(({ name }) => name)) },
    writtenPath: (path) => writtenPath(path, input),
    silent: elsewhere.flatMap(({ name, reference }) => (reference.text === undefined ? [[name]] : [])),
    placeElsewhere: (path, target) =>
      placeOf(elsewhere.find(({ name }) => name === path[0])?.reference, target),
  });
  return { found, draft: { ...judged, config, input } };
}

function isOutside({ at }: Problem): boolean {
  return at?.file !== installConfigFile;
}

interface FieldElsewhere {
  readonly name: ReferencedField;
  readonly reference: ReferencedText;
}

function isMissingOf({ kind, path }: SchemaViolation, fields: readonly FieldElsewhere[]): boolean {
  return kind === 'missing-field' && path.length === 1 && fields.some(({ name }) => name === path[0]);
}

/** The file of a referenced value, or a line in it. */
function placeOf(reference: ReferencedText | undefined, target: Target = 'value'): Place | undefined {
  if (reference?.file === undefined) return reference?.at;
  const { file } = reference;
  return typeof target === 'object' ? { file, line: target.textLine + 1, col: 1 } : { file };
}

/** Reported at both places, because either may be the unintended one. */
function givenTwice({ name, reference: { field, at } }: FieldElsewhere, root: YamlNode): readonly Problem[] {
  const message = `${name} is set in ${installConfigFile} and by ${field} in sno-config.yaml`;
  const hint = 'remove one of them';
  const inline = { file: installConfigFile, path: name, ...spanOf(root, [name], 'key') };
  return [inline, at].map((place) => problem('config/given-twice', message, { at: place, hint }));
}

function missing(): Problem {
  const hint = 'run "sno-install create install-config", or name its directory with --dir';
  return problem('config/file-missing', `${installConfigFile} does not exist`, {
    at: { file: installConfigFile },
    hint,
  });
}
