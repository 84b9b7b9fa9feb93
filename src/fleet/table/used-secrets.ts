import { posix } from 'node:path';

import { variableNamesIn } from '../../config/variables.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import type { Inputs } from '../../graph/context.js';
import { withFleetVariables, type LoadedFleet } from './check-fleet.js';
import { classesFolder } from './fleet-paths.js';
import { yamlPathsBelow } from './read-fleet.js';
import { siteClasses } from './site-classes.js';
import type { SiteRow } from './site-table.js';

/** Returns a function that lists the secrets in the files of a site. Secrets used only by `boot` are not included. */
export function usedSecrets({ fleet, files }: LoadedFleet): (row: SiteRow) => ReadonlySet<string> {
  const namesBelow = (shown: string, inputs: Inputs, folder: string): readonly string[] =>
    yamlPathsBelow(inputs, folder)
      .filter((path) => !files.isRaw(posix.join(shown, path)))
      .flatMap((path) => variableNamesIn(textOf(inputs, path)))
      .filter((name) => fleet.secrets.has(name));
  const ofClasses = new Map<string, readonly string[]>();
  const ofClass = (name: string): readonly string[] => {
    const known = ofClasses.get(name) ?? namesBelow(classesFolder, files.classInputs, name);
    ofClasses.set(name, known);
    return known;
  };
  const ofBase = namesBelow(files.base, files.baseInputs, '.');
  const ofSettings = fleet.classes.flatMap(({ text }) => variableNamesIn(text));
  return (row) => {
    const classes = siteClasses(files, withFleetVariables(row, fleet).variables).names;
    const own = namesBelow(files.overrides, files.overrideInputs, row.name);
    return new Set([...ofBase, ...ofSettings, ...classes.flatMap(ofClass), ...own]);
  };
}

function textOf(inputs: Inputs, path: string): string {
  const read = inputs.read(path);
  return read.kind === 'file' ? (decodeUtf8(read.bytes) ?? '') : '';
}
