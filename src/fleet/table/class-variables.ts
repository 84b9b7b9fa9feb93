import { posix } from 'node:path';

import { problem, type Place, type Problem } from '../../core/problem.js';
import { isName, quotedName } from '../../core/quoted.js';
import { authSecretPattern, clearKeyPattern, urlPasswordPattern } from '../../core/secrets.js';
import { editDistance } from '../../core/suggest.js';
import { readConfigFile } from '../../config/reading/config-file.js';
import { isVariableName, templateParts, variableNamesIn, type Variable } from '../../config/variables.js';
import { scalarsIn, type YamlMap } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import type { ClassVariables, Fleet } from './fleet-file.js';
import { classesFolder, fleetFileName, variablesFileName } from './fleet-paths.js';
import { classFolders } from './site-classes.js';
import type { FleetFiles } from './site-files.js';
import type { SiteTable } from './site-table.js';

/** Names of the variables of any class. */
export function namesOfClasses(classVariables: ClassVariables): readonly string[] {
  return [...new Set([...classVariables.values()].flatMap((each) => [...each.keys()]))];
}

export interface ReadClassVariables {
  readonly classVariables: ClassVariables;
  readonly problems: readonly Problem[];
  /** A file is invalid; problems of the sites of its class would follow from it. */
  readonly isIncomplete: boolean;
}

/** The settings of a fleet that exclude names of variables. */
type Context = Pick<Fleet, 'classes' | 'secrets' | 'sites'> &
  Pick<SiteTable, 'columns'> &
  Pick<FleetFiles, 'isRaw'>;

/**
 * Reads `variables.yaml` of each class. `inputs` are those of the folder of fleet.yaml. Problems: fleet/class-variable, fleet/secret, and
 * config/… as for any config.
 */
export function readClassVariables(inputs: Inputs, context: Context): ReadClassVariables {
  const classVariables = new Map<string, ReadonlyMap<string, Variable>>();
  const problems: Problem[] = [];
  let isIncomplete = false;
  for (const name of classFolders(inputs, classesFolder)) {
    const file = posix.join(classesFolder, name, variablesFileName);
    const read = readConfigFile(inputs, file);
    if (read.kind === 'absent') continue;
    problems.push(...read.problems);
    if (read.kind === 'unusable' || read.root.kind !== 'map') {
      isIncomplete = true;
      continue;
    }
    const found = variablesIn(read.root, file);
    classVariables.set(name, found);
    problems.push(...[...found].flatMap(([each, variable]) => faultsOf(each, variable, context)));
  }
  return { classVariables, problems, isIncomplete };
}

function variablesIn({ entries }: YamlMap, file: string): ReadonlyMap<string, Variable> {
  return new Map(
    entries.map(({ key, keySpan, value }) => {
      const span = value.kind === 'scalar' && value.text !== '' ? value.span : keySpan;
      return [key, { value, at: { file, ...(isName(key) && { path: key }), ...span } }];
    }),
  );
}

function faultsOf(name: string, variable: Variable, context: Context): readonly Problem[] {
  const fault = nameFault(name, context) ?? valueFault(variable, context);
  const { at } = variable;
  if (fault !== undefined) return [problem('fleet/class-variable', fault.message, { at, hint: fault.hint })];
  if (!scalarsIn(variable.value).some(({ scalar }) => isSecret(scalar.text))) return [];
  const message = `variable ${quotedName(name)} contains a secret`;
  const hint = `add a command that prints it to secrets in ${fleetFileName}, and remove it here`;
  return [problem('fleet/secret', message, { at, hint })];
}

interface Fault {
  readonly message: string;
  readonly hint: string;
}

function nameFault(name: string, { columns, secrets, classes, sites }: Context): Fault | undefined {
  const shown = quotedName(name);
  if (!isVariableName(name))
    return {
      message: 'the variable name is not valid',
      hint: 'start with a letter; use only letters, digits, "-" and "_"',
    };
  if (name === 'name')
    return {
      message: '"name" is reserved: it is the name of the site',
      hint: 'rename the variable',
    };
  if (columns.has(name))
    return {
      message: `${shown} is also a column of ${sites}`,
      hint: 'rename the variable, or remove the column',
    };
  if (secrets.has(name))
    return {
      message: `${shown} is also a secret of ${fleetFileName}`,
      hint: 'rename the variable, or remove the secret',
    };
  if (classes.some(({ text }) => variableNamesIn(text).includes(name)))
    return {
      message: `a class cannot set ${shown}: classes in ${fleetFileName} uses it to select the classes`,
      hint: `add a column to ${sites}, or set it below variables in ${fleetFileName}`,
    };
  return undefined;
}

function valueFault({ value, at }: Variable, { isRaw }: Context): Fault | undefined {
  if (value.kind === 'scalar' && value.value === null)
    return {
      message: 'the variable has no value',
      hint: 'write a value, or remove the line; "${name:-default}" in a file is a default',
    };
  const isTemplate = ({ scalar }: ReturnType<typeof scalarsIn>[number]): boolean =>
    templateParts(scalar.text).some(({ kind }) => kind !== 'text');
  if (isRaw(at.file) || !scalarsIn(value).some(isTemplate)) return undefined;
  return {
    message: 'the value of a variable cannot contain another variable',
    hint: `write both variables where the value is used; to keep a literal "\${", list ${at.file} below raw in ${fleetFileName}`,
  };
}

function isSecret(text: string): boolean {
  return [clearKeyPattern, authSecretPattern, urlPasswordPattern].some((form) => form.test(text));
}

/**
 * Reports files with variables that are not read: in the base, in `classes/` itself or in an override, and files of classes and overrides
 * with a similar name. Problems: fleet/class-variable.
 */
export function misplacedVariables({
  base,
  overrides,
  baseInputs,
  classInputs,
  overrideInputs,
}: FleetFiles): readonly Problem[] {
  const inFleet = `set the variables below variables in ${fleetFileName}, or in ${classesFolder}/CLASS/${variablesFileName}`;
  return [
    ...misplacedIn(baseInputs, '.', { shown: base, hint: inFleet }),
    ...misplacedIn(classInputs, '.', { shown: classesFolder, hint: inFleet }),
    ...classFolders(classInputs, '.').flatMap((name) => misnamedIn(classInputs, name)),
    ...classFolders(overrideInputs, '.').flatMap((name) =>
      misplacedIn(overrideInputs, name, {
        shown: posix.join(overrides, name),
        hint: 'write the values of a site into a column of the table',
      }),
    ),
  ];
}

function misplacedIn(
  inputs: Inputs,
  folder: string,
  { shown, hint }: { readonly shown: string; readonly hint: string },
): readonly Problem[] {
  return similarNames(inputs, folder).map((name) => {
    const at: Place = { file: posix.join(shown, name) };
    const message = `${at.file} is not read: only a class has ${variablesFileName}`;
    return problem('fleet/class-variable', message, { at, hint });
  });
}

/** `variables.yml` is a problem of `readConfigFile`. */
function misnamedIn(inputs: Inputs, folder: string): readonly Problem[] {
  const known = [variablesFileName, 'variables.yml'];
  return similarNames(inputs, folder).flatMap((name) => {
    if (known.includes(name)) return [];
    const at: Place = { file: posix.join(classesFolder, folder, name) };
    const message = `${at.file} is not read: the file is named ${variablesFileName}`;
    return [problem('fleet/class-variable', message, { at, hint: `rename it to ${variablesFileName}` })];
  });
}

function similarNames(inputs: Inputs, folder: string): readonly string[] {
  return (inputs.list(folder) ?? []).filter((name) => {
    const [, stem] = /^(.*)\.(?:ya?ml|json)$/i.exec(name) ?? [];
    return stem !== undefined && editDistance(stem.toLowerCase(), 'variables') <= 1;
  });
}
