import { problem, type Place, type Problem } from '../core/problem.js';
import { quotedName } from '../core/quoted.js';
import { closest } from '../core/suggest.js';
import { unquoteHint } from '../formats/schema-wording.js';
import type { ExpandFault } from './expand.js';
import type { Fleet } from './fleet-file.js';
import type { SiteFiles } from './site-files.js';
import { isBlocking } from './site-layer.js';
import type { SiteTable } from './site-table.js';

/** What a mistyped variable may have been meant to be. */
export interface KnownNames {
  /** The table, as hints call it. */
  readonly sites: string;
  readonly names: readonly string[];
  /** Whether the table is a folder of ClusterInstances. */
  readonly hasInstances: boolean;
}

/** Those of a fleet. */
export function knownNames({ sites, variables }: Fleet, { columns, hasLayers }: SiteTable): KnownNames {
  return { sites, names: [...columns.keys(), ...variables.keys()], hasInstances: hasLayers === true };
}

/**
 * What is wrong with a site: with the making of its files, and what judged these found, each where its value was written.
 * Problems: fleet/variable, fleet/override, and those that were found.
 */
export function problemsOfSite(
  files: SiteFiles,
  found: readonly Problem[],
  known: KnownNames,
): readonly Problem[] {
  // What stands in a line that could not be filled in is no fault of its own.
  const failed = new Set(files.faults.map(({ at }) => lineKey(at)));
  const isUnmade = files.problems.some(isBlocking);
  const lacksSecret = found.some(isOfPullSecret);
  const ofSite = (isUnmade ? [] : found)
    // Whose Secret is lacking is said with its name.
    .filter((each) => !(isOfPullSecret(each) && files.problems.some(isLackOfSecret)))
    .map((each) => traced(asInFleet(each, known), files))
    .filter(({ at, from }) => !failed.has(lineKey(from ?? at)));
  const ofFiles = files.problems.filter((each) => !isLackOfSecret(each) || (lacksSecret && !isUnmade));
  return [
    ...ofFiles.map((each) => asInFleet(each, known)),
    ...files.faults.map((fault) => faultProblem(fault, known)),
    ...ofSite,
  ];
}

function isOfPullSecret({ at }: Problem): boolean {
  return at?.path === 'pullSecret';
}

function isLackOfSecret({ code }: Problem): boolean {
  return code === 'import/no-pull-secret';
}

/** With the hint for who has a fleet; of a Secret, once for all that lack it. */
function asInFleet(found: Problem, { sites, hasInstances }: KnownNames): Problem {
  if (found.code === 'config/bootstrap-in-place' && hasInstances)
    return {
      ...found,
      hint: 'write rootDeviceHints of the node, or bootstrapInPlace of install-config.yaml in the base or an override',
    };
  if (!isLackOfSecret(found)) return found;
  const hint =
    'name it with pullSecretFile in sno-config.yaml of the base, or put the Secrets that pullSecretRef names beside the clusters';
  return { ...found, at: { file: sites }, hint };
}

/** A problem at the place where its value was written. */
export function traced(found: Problem, files: SiteFiles): Problem {
  if (found.at === undefined) return found;
  const { at, cell } = files.originOf(found.at);
  if (cell === undefined) return { ...found, at };
  // A plain "${name}" ends a map in braces.
  const hint =
    found.hint === unquoteHint
      ? 'leave out the quotes around "${…}", and write a map in "{ }" with each field on its own line'
      : found.hint;
  return { ...found, at: cell, from: at, ...(hint !== undefined && { hint }) };
}

function lineKey(at: Place | undefined): string {
  return at?.line === undefined ? '' : `${at.file}:${at.line}`;
}

/** What a placeholder is that nothing can be put into. Problems: fleet/variable. */
export function faultProblem(fault: ExpandFault, { sites, names }: KnownNames): Problem {
  const { at } = fault;
  switch (fault.kind) {
    case 'unknown': {
      const near = closest(fault.name, names);
      const hint =
        near === undefined
          ? `add a column to ${sites}, or a value below variables in fleet.yaml`
          : `did you mean "\${${near}}"?`;
      return problem('fleet/variable', `there is no variable ${quotedName(fault.name)}`, { at, hint });
    }
    case 'empty': {
      const hint = `fill it in, or write "\${…:-…}" where it stands for what most sites have`;
      const message = `this site has no ${quotedName(fault.name)}, and its files need it`;
      return { ...problem('fleet/variable', message, { at: fault.cell, hint }), from: at };
    }
    case 'misplaced':
      return problem(
        'fleet/variable',
        `${quotedName(fault.name)} is a map or a list, and cannot stand within a text`,
        {
          at,
        },
      );
    case 'malformed':
      return problem(
        'fleet/variable',
        'this is no variable: one is written "${name}" or "${name:-otherwise}"',
        {
          at,
          hint: 'write "$${" for "${" that is to stay as it is',
        },
      );
  }
}
