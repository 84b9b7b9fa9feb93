import { posix } from 'node:path';

import { problem, type Place, type Problem } from '../../core/problem.js';
import { unfilledHint } from '../../config/placeholder.js';
import { quotedName } from '../../core/quoted.js';
import { closest } from '../../core/suggest.js';
import { listHint, unquoteHint } from '../../formats/schema-wording.js';
import type { ExpandFault } from './expand-document.js';
import type { Fleet } from './fleet-file.js';
import { namesOfClasses } from './class-variables.js';
import { classesFolder, fleetFileName, variablesFileName } from './fleet-paths.js';
import type { SiteFiles } from './site-files.js';
import { isYamlTable, type SiteTable } from './site-table.js';

/** Known variables, for suggestions after a typo. */
export interface KnownNames {
  /** Path of the table, for hints. */
  readonly sites: string;
  readonly names: readonly string[];
  /** Classes that set each variable, by its name. */
  readonly classesOf: ReadonlyMap<string, readonly string[]>;
  /** Whether the table is a folder of ClusterInstances. */
  readonly hasInstances: boolean;
}

export function knownNames(
  { sites, variables, classVariables }: Fleet,
  { columns, hasLayers }: SiteTable,
): KnownNames {
  const ofClasses = namesOfClasses(classVariables);
  const classesOf = new Map(
    ofClasses.map((name) => [
      name,
      [...classVariables].flatMap(([each, own]) => (own.has(name) ? [each] : [])),
    ]),
  );
  const names = [...columns.keys(), ...variables.keys(), ...ofClasses];
  return { sites, names, classesOf, hasInstances: hasLayers === true };
}

/**
 * All problems of a site: faults of its generated files, then those found in them (`found`), each at the place where its value was written.
 * Problems: fleet/variable, fleet/override, and those of `found`.
 */
export function siteProblems(
  files: SiteFiles,
  found: readonly Problem[],
  known: KnownNames,
): readonly Problem[] {
  // Problems in a line with an unresolved placeholder follow from it.
  const failed = new Set(files.faults.map(({ at }) => lineKey(at)));
  const isUnmade = files.isLayerMissing;
  const isSecretMissing = found.some(isOfPullSecret);
  const ofSite = (isUnmade ? [] : found)
    // import/no-pull-secret already names the missing Secret.
    .filter((each) => !(isOfPullSecret(each) && files.problems.some(isLackOfSecret)))
    .map((each) => atOrigin(asInFleet(each, known), files))
    .filter(({ at, from }) => !failed.has(lineKey(from ?? at)));
  const ofFiles = files.problems.filter((each) => !isLackOfSecret(each) || (isSecretMissing && !isUnmade));
  return [
    ...ofFiles.map((each) => asInFleet(each, known)),
    ...oncePerCell(files.faults.map((fault) => unresolvedPlaceholder(fault, known))),
    ...oncePerCell(ofSite),
  ];
}

/** Several fields can use an empty cell, or one with an unfilled placeholder. The first problem is enough. */
function oncePerCell(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ code, at, from, hint }) => {
    const isUnfilled = code === 'fleet/variable' || hint === unfilledHint;
    if (from === undefined || at?.line === undefined || !isUnfilled) return true;
    const cell = JSON.stringify(at);
    return !seen.has(cell) && seen.add(cell);
  });
}

/** Whether the files of a site that were read so far contain errors. */
export function hasFaults({ faults, problems }: Pick<SiteFiles, 'faults' | 'problems'>): boolean {
  return faults.length > 0 || !problems.every(isLackOfSecret);
}

function isOfPullSecret({ at }: Problem): boolean {
  return at?.path === 'pullSecret';
}

function isLackOfSecret({ code }: Problem): boolean {
  return code === 'import/no-pull-secret';
}

/** Adapts hints to a fleet. A missing pull secret is reported at the table, once for all sites that need it. */
function asInFleet(found: Problem, { sites, hasInstances }: KnownNames): Problem {
  if (found.code === 'config/bootstrap-in-place' && hasInstances)
    return {
      ...found,
      hint: 'set rootDeviceHints of the node, or bootstrapInPlace.installationDisk in install-config.yaml of the base or an override',
    };
  if (!isLackOfSecret(found)) return found;
  const hint =
    'set pullSecretFile in sno-config.yaml of the base, or add the Secrets of pullSecretRef to the directory of the clusters';
  return { ...found, at: { file: sites }, hint };
}

/** Moves a problem to the place where its value was written. */
export function atOrigin(found: Problem, files: SiteFiles): Problem {
  if (found.at === undefined) return found;
  const { at, cell } = files.originOf(found.at);
  const contradicted = found.other && files.originOf(found.other);
  const other = contradicted && { other: contradicted.cell ?? contradicted.at };
  if (cell === undefined) return { ...found, at, ...other };
  const hint = hintAtCell(found, cell, files);
  return { ...found, at: cell, from: at, ...other, ...(hint !== undefined && { hint }) };
}

/** Replaces hints that do not apply to a placeholder or to a cell of a CSV table. */
function hintAtCell({ hint, at }: Problem, cell: Place, { variables }: SiteFiles): string | undefined {
  // In a flow map, an unquoted "${name}" would end the map at its brace.
  if (hint === unquoteHint)
    return 'remove the quotes around "${…}", and write each field of a "{ }" map on its own line';
  const { file, path: column = 'name' } = cell;
  const value = variables.known.get(column)?.value;
  const isItem = hint === undefined && at?.path?.endsWith(']') === true;
  const isListAsItem = isItem && value?.kind === 'scalar' && /[,;\s]/.test(value.text);
  return (hint === listHint || isListAsItem) && !isYamlTable(file)
    ? `a CSV cell is one value: write ["\${${column}}"] with one column per item, or use a YAML table`
    : hint;
}

function lineKey(at: Place | undefined): string {
  return at?.line === undefined ? '' : `${at.file}:${at.line}`;
}

/** Reports a placeholder that cannot be replaced. Problems: fleet/variable. */
export function unresolvedPlaceholder(fault: ExpandFault, { sites, names, classesOf }: KnownNames): Problem {
  const { at } = fault;
  switch (fault.kind) {
    case 'unknown': {
      const [other] = classesOf.get(fault.name) ?? [];
      if (other !== undefined) return ofOtherClass(fault.name, other, at);
      const near = closest(fault.name, names);
      const hint =
        near === undefined
          ? `add a column to ${sites}, or set it below variables in fleet.yaml`
          : `did you mean "\${${near}}"?`;
      return problem('fleet/variable', `variable ${quotedName(fault.name)} is not defined`, { at, hint });
    }
    case 'empty': {
      const isOfClass = at.file === fleetFileName && at.path?.startsWith('classes') === true;
      const hint = isOfClass
        ? `fill in the cell, or write "\${${fault.name}:-}" for sites without this class`
        : `fill in the cell, or write a default as "\${name:-default}" in the file`;
      const user = isOfClass ? 'classes in fleet.yaml uses it' : 'its files use it';
      const message = `${quotedName(fault.name)} is empty for this site, but ${user}`;
      return { ...problem('fleet/variable', message, { at: fault.cell, hint }), from: at };
    }
    case 'misplaced':
      return problem(
        'fleet/variable',
        `${quotedName(fault.name)} is a map or a list and cannot be part of a longer string`,
        {
          at,
        },
      );
    case 'malformed':
      return problem('fleet/variable', 'not a valid variable: expected "${name}" or "${name:-default}"', {
        at,
        hint: 'to keep a literal "${", write "$${", or list the file below raw in fleet.yaml',
      });
  }
}

function ofOtherClass(name: string, other: string, at: Place): Problem {
  const message = `no class of this site sets the variable ${quotedName(name)}`;
  const file = (each: string): string => posix.join(classesFolder, each, variablesFileName);
  const hint = `${file(other)} sets it: add it to ${file('CLASS')} of the other classes, or write a default: "\${${name}:-…}"`;
  return problem('fleet/variable', message, { at, hint });
}
