import { problem, type Place, type Problem } from '../../core/problem.js';
import { isName, quotedName } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import { formatFindings } from '../../config/rules/format-findings.js';
import { examplePullSecret } from '../../config/rules/install/pull-secret.js';
import { validateConfig } from '../../config/reading/validate-config.js';
import { readConfigFile } from '../../config/reading/config-file.js';
import fleetFields from '#schemas/fleet' with { type: 'json' };
import type { FleetInput } from '../../config/schema/fleet-schema.js';
import type { Rule } from '../../config/schema/rule.js';
import type { Draft, TypedSchema } from '../../formats/field-schema.js';
import { applySchema } from '../../formats/apply-schema.js';
import { nodeAt, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import type { TargetName } from '../../run/targets.js';
import { pathRules, defaultPaths } from './fleet-paths.js';
import { isVariableName, type Variable } from '../../config/variables.js';

/** fleet.yaml, with defaults. */
export interface Fleet {
  readonly target: TargetName;
  /** Paths as written, relative to the folder of fleet.yaml. */
  readonly sites: string;
  readonly base: string;
  /** Names of the site's classes in merge order; may contain `${variable}` placeholders. */
  readonly classes: readonly FleetText[];
  readonly overrides: string;
  /** Patterns of files without variables. */
  readonly raw: readonly FleetText[];
  /** Contains one folder for each site. */
  readonly outputs: string;
  /** Recipients of every site's encrypted state, as written: they may be invalid. */
  readonly recipients: readonly FleetText[];
  /** Default for sites whose sno-config.yaml does not set it. */
  readonly encryptOutputs?: boolean;
  /** Default values of variables that the table does not set. */
  readonly variables: ReadonlyMap<string, Variable>;
  /** Variables of the classes. They take precedence over `variables`. */
  readonly classVariables: ClassVariables;
  /** Variables whose values a command prints. `variables` contains their examples. */
  readonly secrets: ReadonlyMap<string, SecretSource>;
  /** The commands of secrets as written, by name. Comparisons without the values use them instead. */
  readonly secretMarks: Readonly<Record<string, string>>;
  /** Access to the BMCs, as written; may contain `${variable}` placeholders. */
  readonly boot?: YamlNode;
  /** The `serve` block, as written. */
  readonly serve: FleetServe;
}

/** Variables by name, for each class that has any. */
export type ClassVariables = ReadonlyMap<string, ReadonlyMap<string, Variable>>;

export type FleetServe = Draft<NonNullable<FleetInput['serve']>>;

export interface SecretSource {
  /** Program and arguments; may contain `${variable}` placeholders. */
  readonly command: readonly FleetText[];
  readonly at: Place;
}

/** An entry of a list with its place. */
export interface FleetText {
  readonly text: string;
  readonly at: Place;
}

const schema: TypedSchema<FleetInput> = { schema: fleetFields };

const rules: readonly Rule<Draft<FleetInput>>[] = [
  {
    number: 1,
    fields: ['apiVersion', 'kind'],
    text: 'apiVersion is sno-install/v1alpha1 and kind is Fleet.',
    origin: 'sno-install',
    check: (input) => formatFindings(input, 'Fleet'),
  },
  ...pathRules,
  {
    number: 3,
    fields: ['variables', 'secrets'],
    text: 'Names of variables start with a letter and contain only letters, digits, "-" and "_".',
    origin: 'sno-install',
    check: ({ variables = {}, secrets = {} }) =>
      Object.entries({ variables, secrets }).flatMap(([field, named]) =>
        Object.keys(named).flatMap((name) =>
          isVariableName(name)
            ? []
            : [
                {
                  code: 'fleet/column' as const,
                  path: [field, name],
                  target: 'key' as const,
                  message:
                    'the variable name is not valid: start with a letter; use only letters, digits, "-" and "_"',
                },
              ],
        ),
      ),
  },
  {
    number: 4,
    fields: ['secrets'],
    text: 'A secret has a command, and no other name than a variable of fleet.yaml or a column of the table.',
    origin: 'sno-install',
    check: ({ variables = {}, secrets = {} }) =>
      Object.entries(secrets).flatMap(([name, secret]) => {
        const path = ['secrets', name];
        if (name === 'name' || Object.hasOwn(variables, name))
          return [
            {
              code: 'fleet/secret' as const,
              path,
              target: 'key' as const,
              message: `${quotedName(name)} is also a variable`,
              hint: 'rename the secret, or remove the variable',
            },
          ];
        return (secret?.command?.[0] ?? '') === ''
          ? [
              {
                code: 'fleet/secret' as const,
                path: [...path, 'command'],
                message: 'the command has no program',
                hint: 'write the program and its arguments as a list: ["vault", "kv", "get", "…"]',
              },
            ]
          : [];
      }),
  },
];

/** Reads fleet.yaml, without the variables of the classes. Problems: fleet/missing, config/… as for any config, fleet/path, fleet/column. */
export function readFleet(inputs: Inputs, file: string): Result<Omit<Fleet, 'classVariables'>> {
  const read = readConfigFile(inputs, file);
  if (read.kind === 'absent') {
    const hint = 'set --dir to the directory that contains it; example in docs/fleet.md';
    return failure(problem('fleet/missing', `${file} does not exist`, { hint }));
  }
  if (read.kind === 'unusable') return failure(...read.problems);
  const { draft, misfits } = applySchema(schema, read.root);
  const judged = validateConfig({ file, root: read.root, misfits, rules, subject: draft });
  const problems: readonly Problem[] = [...read.problems, ...judged.problems];
  if (problems.length > 0 || draft.sites === undefined) return failure(...problems);
  const { target = 'single-node-ignition-config', sites, encryptOutputs } = draft;
  const { base, overrides, outputs } = { ...defaultPaths, ...draft };
  const boot = nodeAt(read.root, ['boot']);
  const secrets = secretsIn(read.root, file);
  return success({
    target,
    sites,
    base,
    classes: textsIn(read.root, file, 'classes'),
    overrides,
    raw: textsIn(read.root, file, 'raw'),
    outputs,
    recipients: textsIn(read.root, file, 'recipients'),
    ...(encryptOutputs !== undefined && { encryptOutputs }),
    variables: new Map([...variablesIn(read.root, file), ...examplesIn(read.root, file)]),
    secrets,
    secretMarks: Object.fromEntries([...secrets].map(([name, { command }]) => [name, markOf(command)])),
    ...(boot && { boot }),
    serve: draft.serve ?? {},
  });
}

function textsIn(
  root: YamlNode,
  file: string,
  field: 'classes' | 'raw' | 'recipients',
): readonly FleetText[] {
  return textsOf(nodeAt(root, [field]), file, field);
}

function textsOf(node: YamlNode | undefined, file: string, path: string): readonly FleetText[] {
  const items = node?.kind === 'list' ? node.items : [];
  return items.flatMap((item, index) =>
    item.kind === 'scalar'
      ? [{ text: item.text, at: { file, path: `${path}[${index}]`, ...item.span } }]
      : [],
  );
}

function secretsIn(root: YamlNode, file: string): ReadonlyMap<string, SecretSource> {
  const node = nodeAt(root, ['secrets']);
  const entries = node?.kind === 'map' ? node.entries : [];
  return new Map(
    entries.map(({ key, keySpan, value }) => {
      const path = `secrets.${key}`;
      const command = textsOf(nodeAt(value, ['command']), file, `${path}.command`);
      return [key, { command, at: { file, path, ...keySpan } }];
    }),
  );
}

function markOf(command: readonly FleetText[]): string {
  return JSON.stringify(command.map(({ text }) => text));
}

/** Values of secrets for commands that only check or show. */
function examplesIn(root: YamlNode, file: string): ReadonlyMap<string, Variable> {
  const node = nodeAt(root, ['secrets']);
  const entries = node?.kind === 'map' ? node.entries : [];
  return new Map(
    entries.map(({ key, keySpan, value }) => {
      const given = nodeAt(value, ['example']);
      const standard = key === 'pullSecret' ? examplePullSecret : 'example';
      const text = given?.kind === 'scalar' ? given.text : standard;
      const at = { file, path: `secrets.${key}`, ...keySpan };
      return [key, { value: { kind: 'scalar', value: text, text, span: keySpan }, at }];
    }),
  );
}

function variablesIn(root: YamlNode, file: string): ReadonlyMap<string, Variable> {
  const node = nodeAt(root, ['variables']);
  const entries = node?.kind === 'map' ? node.entries : [];
  return new Map(
    entries.map(({ key, keySpan, value }) => [
      key,
      {
        value,
        at: {
          file,
          ...(isName(key) && { path: `variables.${key}` }),
          ...(value.kind === 'scalar' && value.text !== '' ? value.span : keySpan),
        },
      },
    ]),
  );
}
