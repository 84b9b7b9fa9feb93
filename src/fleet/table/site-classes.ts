import { posix } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { suggestionOr } from '../../core/suggest.js';
import type { SiteVariables } from '../../config/variables.js';
import type { Inputs } from '../../graph/context.js';
import { expandText, type ExpandFault } from './expand-document.js';
import type { FleetText } from './fleet-file.js';
import { classesFolder } from './fleet-paths.js';

/** The classes of a site. */
export interface SiteClasses {
  /** Folders below `classes/`, in merge order. */
  readonly names: readonly string[];
  readonly faults: readonly ExpandFault[];
  readonly problems: readonly Problem[];
}

/** The classes of a site whose folders exist. Problems: fleet/class, each at the cell of the table or in fleet.yaml. */
export function siteClasses(
  { classes, classInputs }: { readonly classes: readonly FleetText[]; readonly classInputs: Inputs },
  variables: SiteVariables,
): SiteClasses {
  const [names, faults, problems]: [string[], ExpandFault[], Problem[]] = [[], [], []];
  for (const { text, at } of classes) {
    const { text: name, cell, faults: found } = expandText(text, at, variables);
    faults.push(...found);
    if (found.length > 0 || name === '') continue;
    const fault = faultOf(name, classInputs);
    if (fault === undefined) names.push(name);
    else problems.push(cell === undefined ? { ...fault, at } : { ...fault, at: cell, from: at });
  }
  return { names, faults, problems };
}

function faultOf(name: string, inputs: Inputs): Problem | undefined {
  // The name must not lead to another folder.
  if (!/^(?!\.)[^/\\\p{Cc}]+$/u.test(name)) {
    const hint = `a class is the name of a directory below ${classesFolder}/`;
    return problem('fleet/class', `${quoted(name)} is not a class name`, { hint });
  }
  if (inputs.list(name) !== undefined) return undefined;
  const hint = suggestionOr(name, classFolders(inputs), 'create the directory, or correct the name');
  return problem('fleet/class', `class ${quoted(name)} has no directory in ${classesFolder}/`, { hint });
}

/** Names of the folders below a folder. */
export function classFolders(inputs: Inputs, folder = '.'): readonly string[] {
  return (inputs.list(folder) ?? []).flatMap((entry) =>
    entry.endsWith('/') && !entry.startsWith('.') ? [entry.slice(0, -1)] : [],
  );
}

/** Class folders that no site uses: usually a typo, or a class that was replaced. Warnings: fleet/class-unused. */
export function unusedClasses(
  { classes, classInputs }: Parameters<typeof siteClasses>[0],
  sites: Iterable<SiteVariables>,
): readonly Problem[] {
  const folders = classFolders(classInputs);
  if (folders.length === 0) return [];
  if (classes.length === 0) {
    const message = `${classesFolder}/ has no effect: fleet.yaml does not set classes`;
    const hint = 'set classes in fleet.yaml, for example: classes: ["${hardware}"]';
    return [problem('fleet/class-unused', message, { at: { file: classesFolder }, hint })];
  }
  const used = new Set<string>();
  for (const variables of sites) {
    for (const { text, at } of classes) used.add(expandText(text, at, variables).text);
  }
  return folders.flatMap((folder) => {
    if (used.has(folder)) return [];
    const at = { file: posix.join(classesFolder, folder) };
    const hint = 'write its name into the table, or delete the directory';
    return [problem('fleet/class-unused', 'no site has this class', { at, hint })];
  });
}
