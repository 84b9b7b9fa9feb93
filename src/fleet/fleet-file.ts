import { problem, type Place, type Problem } from '../core/problem.js';
import { isName } from '../core/quoted.js';
import { failure, success, type Result } from '../core/result.js';
import { formatFindings } from '../config/rules/format-findings.js';
import { judgeConfig } from '../config/reading/judge-config.js';
import { readConfigFile } from '../config/reading/config-file.js';
import fleetFields from '#schemas/fleet' with { type: 'json' };
import type { FleetInput } from '../config/schema/fleet-schema.js';
import type { Rule } from '../config/schema/rule.js';
import type { Draft, TypedSchema } from '../formats/field-schema.js';
import { fitSchema } from '../formats/fit-schema.js';
import { nodeAt, type YamlNode } from '../formats/yaml/yaml-tree.js';
import type { Inputs } from '../graph/context.js';
import type { TargetName } from '../run/targets.js';
import { pathRules, usualPaths } from './fleet-paths.js';
import { isVariableName, type Variable } from '../config/variables.js';

/** fleet.yaml, with defaults. */
export interface Fleet {
  readonly target: TargetName;
  /** Paths as they were written, from the folder of fleet.yaml. */
  readonly sites: string;
  readonly base: string;
  readonly overrides: string;
  /** Where a folder of each site comes to lie. */
  readonly outputs: string;
  /** To whom the state of every site is encrypted, whether they are recipients or not. */
  readonly recipients: readonly FleetRecipient[];
  /** Where sno-config.yaml of a site does not say it. */
  readonly encryptOutputs?: boolean;
  /** What stands for variables where the table says nothing. */
  readonly variables: ReadonlyMap<string, Variable>;
  /** How BMCs are reached, as it was written; `${variable}` in it is what the table says. */
  readonly boot?: YamlNode;
  /** How media are served, as it was written. */
  readonly serve: FleetServe;
}

/** What fleet.yaml says of the server of media. */
export type FleetServe = Draft<NonNullable<FleetInput['serve']>>;

/** What fleet.yaml names as a recipient. */
export interface FleetRecipient {
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
    fields: ['variables'],
    text: 'A variable has a name of letters, digits, "-" and "_", a letter first.',
    origin: 'sno-install',
    check: ({ variables = {} }) =>
      Object.keys(variables).flatMap((name) =>
        isVariableName(name)
          ? []
          : [
              {
                code: 'fleet/column' as const,
                path: ['variables', name],
                target: 'key' as const,
                message: 'this cannot be the name of a variable',
              },
            ],
      ),
  },
];

/**
 * Reads fleet.yaml.
 * Problems: fleet/missing, config/… of any config, fleet/path, fleet/column.
 */
export function readFleet(inputs: Inputs, file: string): Result<Fleet> {
  const read = readConfigFile(inputs, file);
  if (read.kind === 'absent') {
    const hint = 'name its folder by --dir; docs/fleet.md shows one';
    return failure(problem('fleet/missing', `there is no ${file}`, { hint }));
  }
  if (read.kind === 'unusable') return failure(...read.problems);
  const { draft, misfits } = fitSchema(schema, read.root);
  const judged = judgeConfig({ file, root: read.root, misfits, rules, subject: draft });
  const problems: readonly Problem[] = [...read.problems, ...judged.problems];
  if (problems.length > 0 || draft.sites === undefined) return failure(...problems);
  const { target = 'single-node-ignition-config', sites, encryptOutputs } = draft;
  const { base, overrides, outputs } = { ...usualPaths, ...draft };
  const boot = nodeAt(read.root, ['boot']);
  return success({
    target,
    sites,
    base,
    overrides,
    outputs,
    recipients: recipientsIn(read.root, file),
    ...(encryptOutputs !== undefined && { encryptOutputs }),
    variables: variablesIn(read.root, file),
    ...(boot && { boot }),
    serve: draft.serve ?? {},
  });
}

function recipientsIn(root: YamlNode, file: string): readonly FleetRecipient[] {
  const node = nodeAt(root, ['recipients']);
  const items = node?.kind === 'list' ? node.items : [];
  return items.flatMap((item, index) =>
    item.kind === 'scalar'
      ? [{ text: item.text, at: { file, path: `recipients[${index}]`, ...item.span } }]
      : [],
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
