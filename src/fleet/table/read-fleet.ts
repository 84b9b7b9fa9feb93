import { join, posix } from 'node:path';
import { problem, type Place, type Problem } from '../../core/problem.js';
import { quotedName } from '../../core/quoted.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { editDistance, suggestionOr } from '../../core/suggest.js';
import type { ExternalSources } from '../../disk/external-files/read-reference.js';
import { cachedInputs, uncachedInputs } from '../../disk/read-inputs.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { isYamlName } from '../../formats/yaml/yaml.js';
import { scalarsIn } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import { definitionsFolder } from '../../manifests/edits/paths.js';
import { classesFolder, fleetFileName } from './fleet-paths.js';
import { misplacedVariables, readClassVariables } from './class-variables.js';
import { readFleet, type Fleet } from './fleet-file.js';
import { withFleetVariables, type LoadedFleet } from './check-fleet.js';
import {
  noMatchingSite,
  selectableColumns,
  selectableSite,
  siteSelector,
  type SiteSelection,
} from './site-selection.js';
import { unusedClasses } from './site-classes.js';
import type { FleetFiles } from './site-files.js';
import { readInstanceTable } from './read-instance-table.js';
import { readSiteTable, type SiteTable } from './site-table.js';
import { variableNamesIn, type SiteVariables } from '../../config/variables.js';

/** Selection of sites, and inputs from outside of the fleet's folder. */
export interface FleetSelection extends Partial<SiteSelection> {
  readonly outside?: ExternalSources;
}

/** Reads a fleet to create its outputs. Like `openFleetToCheck`, but faults of rows and folders are problems. */
export function openFleet(dir: string, order: FleetSelection = {}): Result<LoadedFleet> {
  return withoutFaults(openFleetToCheck(dir, order));
}

function withoutFaults(read: Result<LoadedFleet>): Result<LoadedFleet> {
  if (!read.ok || read.value.faults.length === 0) return read;
  return failure(...read.warnings, ...read.value.faults);
}

/**
 * Reads a fleet with its table. Errors of single rows and folders are in `faults`. Warnings: fleet/column-unused, fleet/class-unused and
 * those of the table.
 * Problems: those of `readFleet`, `readSiteTable` and `readInstanceTable`, fleet/no-base, fleet/override, fleet/no-site, usage/unknown-argument.
 */
export function openFleetToCheck(
  dir: string,
  { only = [], where = [], outside }: FleetSelection = {},
): Result<LoadedFleet> {
  const inputsAt = (folder: string): Inputs => cachedInputs(join(dir, folder), {}, outside, dir);
  const overridesAt = (folder: string): Inputs => uncachedInputs(join(dir, folder), outside, dir);
  return readFleetToCheck({ inputsAt, overridesAt }, { only, where });
}

/** Access to the files of a fleet, on disk or in a Git revision. */
export interface FleetFolder {
  /** Files below a folder of the fleet. */
  readonly inputsAt: (folder: string) => Inputs;
  /** Like `revisionInputs`, for the many files of overrides, which need no cache. Default: `revisionInputs`. */
  readonly overridesAt?: (folder: string) => Inputs;
}

/** Like `openFleet`, for any file access. */
export function loadFleet(folder: FleetFolder): Result<LoadedFleet> {
  return withoutFaults(readFleetToCheck(folder));
}

/** Like `openFleetToCheck`, for any file access. */
export function readFleetToCheck(
  { inputsAt, overridesAt = inputsAt }: FleetFolder,
  selection: SiteSelection = { only: [], where: [] },
): Result<LoadedFleet> {
  const inputs = inputsAt('.');
  const read = readFleet(inputs, fleetFileName);
  if (!read.ok) return read;
  const files = fleetFilesOf(read.value, { inputsAt, overridesAt });
  const isFolder = inputs.list(read.value.sites) !== undefined;
  const table = isFolder
    ? readInstanceTable(read.value.sites, inputs)
    : readSiteTable(read.value.sites, inputs.read(read.value.sites));
  const { columns } = table.ok ? table.value : { columns: new Map<string, Place>() };
  const ofClasses = readClassVariables(inputs, { ...read.value, columns, isRaw: files.isRaw });
  const fleet: Fleet = { ...read.value, classVariables: ofClasses.classVariables };
  const variableFaults = [...ofClasses.problems, ...misplacedVariables(files)];
  // ClusterInstances provide the complete install-config.yaml.
  const isBaseMissing = !isFolder && files.baseInputs.read('install-config.yaml').kind === 'absent';
  const missingBase = isBaseMissing ? [noBase(fleet)] : [];
  if (!table.ok) return failure(...table.problems, ...variableFaults, ...missingBase);
  const faults = [
    ...variableFaults,
    ...table.value.faults,
    ...secretColumns(fleet, table.value),
    ...unmatchedOverrides(fleet, table.value, files.overrideInputs),
    ...oddLayers(fleet, table.value, files),
  ];
  if (missingBase.length > 0 || ofClasses.isIncomplete) return failure(...faults, ...missingBase);
  // A row with surplus cells is reported as such; its name and values are not known.
  const isComplete = table.value.leftOut.length === 0;
  const isSelected = siteSelector(selection, {
    columns: selectableColumns(fleet, table.value),
    ...(isComplete && { sites: table.value.rows.map((row) => selectableSite(row, fleet)) }),
  });
  if (!isSelected.ok) return failure(...faults, ...isSelected.problems);
  const rows = table.value.rows.filter((row) => isSelected.value(selectableSite(row, fleet)));
  if (rows.length === 0) return faults.length > 0 ? failure(...faults) : noMatchingSite(selection);
  const opened = { fleet, table: table.value, rows, faults, files, fleetInputs: inputs };
  const unused = [...unusedSettings(opened), ...classesWithoutSite(opened)];
  return success(opened, [...problemsOf(read), ...problemsOf(table), ...unused]);
}

/** Settings of fleet.yaml that determine the files of sites. */
export type FleetPaths = Pick<Fleet, 'base' | 'overrides' | 'classes' | 'raw'>;

/** Input files of all sites. */
export function fleetFilesOf(
  { base, overrides, classes, raw }: FleetPaths,
  { inputsAt, overridesAt = inputsAt }: FleetFolder,
): FleetFiles {
  return {
    base,
    overrides,
    classes,
    // Descriptions and patterns in definitions may contain "${".
    isRaw: pathMatcher([
      ...raw.map(({ text }) => text),
      ...[base, `${classesFolder}/*`, `${overrides}/*`].map((folder) =>
        posix.join(folder, definitionsFolder),
      ),
    ]),
    baseInputs: inputsAt(base),
    classInputs: inputsAt(classesFolder),
    overrideInputs: overridesAt(overrides),
  };
}

function classesWithoutSite({ fleet, table, files }: LoadedFleet): readonly Problem[] {
  // The classes of rows with surplus cells are not known.
  if (table.leftOut.length > 0) return [];
  const sites = function* (): Generator<SiteVariables> {
    for (const row of table.rows) yield withFleetVariables(row, fleet).variables;
  };
  return unusedClasses(files, sites());
}

function noBase({ base }: Fleet): Problem {
  const file = posix.join(base, 'install-config.yaml');
  const hint = 'create it with the settings shared by all sites, and ${variables} where they differ';
  return problem('fleet/no-base', `${file} does not exist`, { hint });
}

/** Reports columns whose values a secret would replace. */
function secretColumns({ secrets }: Fleet, { columns }: SiteTable): readonly Problem[] {
  return [...columns].flatMap(([name, at]) =>
    secrets.has(name)
      ? [
          problem('fleet/secret', `${quotedName(name)} is also a secret of ${fleetFileName}`, {
            at,
            hint: 'rename the secret, or remove the column',
          }),
        ]
      : [],
  );
}

/** Reports override folders that match no site: usually a typo that would silently drop the override. */
function unmatchedOverrides(
  { overrides }: Fleet,
  { rows, leftOut }: SiteTable,
  inputs: Inputs,
): readonly Problem[] {
  const names = [...rows.map(({ name }) => name), ...leftOut];
  const known = new Set(names);
  const folders = (inputs.list('.') ?? [])
    // A link to a folder has no slash.
    .filter((entry) => entry.endsWith('/') || inputs.list(entry) !== undefined)
    .map((entry) => entry.replace(/\/$/, ''));
  return folders.flatMap((folder) => {
    if (known.has(folder)) return [];
    const hint = suggestionOr(folder, names, 'rename it to the name of a site in the table');
    const file = posix.join(overrides, folder);
    return [problem('fleet/override', 'this override does not match any site', { at: { file }, hint })];
  });
}

/**
 * Reports things other than folders in the places of `classes/`, the overrides and the override of a site, such as a link to a missing
 * folder: the sites would be created without it.
 */
function oddLayers(
  { overrides }: Fleet,
  { rows, leftOut }: SiteTable,
  { classInputs, overrideInputs }: FleetFiles,
): readonly Problem[] {
  const sites = new Set([...rows.map(({ name }) => name), ...leftOut]);
  const own = (overrideInputs.list('.') ?? [])
    .filter((entry) => sites.has(entry) && overrideInputs.list(entry) === undefined)
    .map((entry) => oddLayer('fleet/override', posix.join(overrides, entry)));
  return [
    ...(isOddRoot(overrideInputs) ? [oddLayer('fleet/override', overrides)] : []),
    ...own,
    ...(isOddRoot(classInputs) ? [oddLayer('fleet/class', classesFolder)] : []),
  ];
}

function isOddRoot(inputs: Inputs): boolean {
  return inputs.list('.') === undefined && inputs.read('.').kind !== 'absent';
}

function oddLayer(code: 'fleet/override' | 'fleet/class', file: string): Problem {
  const hint = `replace ${file} with a folder that this user can read, or remove it`;
  return problem(code, `${file} cannot be read as a folder`, { at: { file }, hint });
}

/** Reports variables and patterns of `raw` that have no effect. Warnings: fleet/column-unused, fleet/raw-unused. */
function unusedSettings({ fleet, table, files }: LoadedFleet): readonly Problem[] {
  const boot = fleet.boot === undefined ? [] : scalarsIn(fleet.boot).map(({ scalar }) => scalar.text);
  const classes = fleet.classes.map(({ text }) => text);
  const used = new Set([...boot, ...classes].flatMap(variableNamesIn));
  const patterns = fleet.raw.map(({ text, at }) => ({ at, matches: pathMatcher([text]) }));
  const unmatched = new Set(patterns);
  for (const file of filesBelow(files)) {
    for (const each of unmatched) if (each.matches(file.path)) unmatched.delete(each);
    if (!isYamlName(file.path) || files.isRaw(file.path)) continue;
    for (const name of variableNamesIn(file.text())) used.add(name);
  }
  const own = table.hasLayers ? [] : [...table.columns];
  // Tables are often exports with columns for other tools, so only a probable typo is reported.
  const columns = own.flatMap(([name, at]) => {
    const near = name === 'name' || used.has(name) ? undefined : oneEditAway(name, used);
    return near === undefined
      ? []
      : [
          unusedVariable(
            name,
            at,
            `the files use "\${${near}}": correct one of the names if they are the same variable`,
          ),
        ];
  });
  const ofClasses = [...fleet.classVariables.values()].flatMap((each) => [...each]);
  const variables = [...fleet.variables, ...ofClasses].flatMap(([name, { at }]) =>
    used.has(name)
      ? []
      : [
          unusedVariable(
            name,
            at,
            'add "${…}" with this name where the value belongs, or remove the variable',
          ),
        ],
  );
  const raw = [...unmatched].map(({ at }) => {
    const hint = 'write a path such as base/manifests/a.yaml, relative to the directory of fleet.yaml';
    return problem('fleet/raw-unused', 'no file matches this pattern', { at, hint });
  });
  return [...columns, ...variables, ...raw];
}

function unusedVariable(name: string, at: Place, hint: string): Problem {
  const message = `variable ${quotedName(name)} is not used in the base, the classes or the overrides`;
  return problem('fleet/column-unused', message, { at, hint });
}

function oneEditAway(name: string, used: ReadonlySet<string>): string | undefined {
  return [...used].find((each) => editDistance(each.toLowerCase(), name.toLowerCase()) <= 1);
}

interface FleetInputFile {
  /** Relative to the folder of fleet.yaml. */
  readonly path: string;
  readonly text: () => string;
}

/** Yields the files of the base, the classes and the overrides one at a time, since thousands of sites have many files. */
function* filesBelow(files: FleetFiles): Generator<FleetInputFile> {
  const folders = [
    [files.base, files.baseInputs],
    [classesFolder, files.classInputs],
    [files.overrides, files.overrideInputs],
  ] as const;
  for (const [folder, inputs] of folders) {
    for (const path of pathsBelow(inputs)) {
      const text = (): string => {
        const read = inputs.read(path);
        return read.kind === 'file' ? (decodeUtf8(read.bytes) ?? '') : '';
      };
      yield { path: posix.join(folder, path), text };
    }
  }
}

/** Paths of all YAML files below a folder. Only these can contain variables. */
export function yamlPathsBelow(inputs: Inputs, folder = '.'): readonly string[] {
  return pathsBelow(inputs, folder).filter(isYamlName);
}

function pathsBelow(inputs: Inputs, folder = '.'): readonly string[] {
  return (inputs.list(folder) ?? []).flatMap((entry) => {
    const path = posix.join(folder, entry);
    return entry.endsWith('/') ? pathsBelow(inputs, path) : [path];
  });
}

/**
 * Returns the function that tells whether a path matches one of the patterns. `*` matches within a name and `**` any folders, as in
 * .gitignore; a folder matches all files below it.
 */
function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const found = patterns.map(patternRegExp);
  return (path) => found.some((each) => each.test(path));
}

function patternRegExp(pattern: string): RegExp {
  const parts = pattern
    .replace(/^\.\//, '')
    .replace(/\/+$/, '')
    .split(/(\*\*\/|\*\*|\*)/);
  const source = parts.map((part) => wildcards[part] ?? part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${source.join('')}(?:/|$)`);
}

const wildcards: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' };
