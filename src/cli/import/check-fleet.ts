import { posix } from 'node:path';

import { filesOf } from '../../fleet/judge-site.js';
import { problemsOf } from '../../core/result.js';
import { problem, type Problem } from '../../core/problem.js';
import { GroupedProblems, type FleetProblem } from '../../fleet/grouped-problems.js';
import type { ReadFleet } from '../../fleet/judge-fleet.js';
import { fleetFrom } from '../../fleet/read-fleet.js';
import type { SiteRow } from '../../fleet/site-table.js';
import { toData } from '../../formats/yaml/yaml-tree.js';
import { isYamlName, readYaml } from '../../formats/yaml/yaml.js';
import type { InputRead, Inputs } from '../../graph/context.js';
import type { FleetFile } from '../../imports/fleet/fleet-of-sites.js';
import type { ImportedSite } from '../../imports/imported-site.js';
import { importedInputs } from '../../imports/judge-import.js';

/**
 * What is wrong with a fleet that was made of sites: as one of `fleet validate`, and sites for which it does not say what their own
 * files do. Problems: fleet/…, import/malformed.
 */
export function faultsOfFleet(
  sites: readonly ImportedSite[],
  files: readonly FleetFile[],
  outside: Pick<Inputs, 'readReference'>,
): readonly FleetProblem[] {
  const inputs = importedInputs(
    files.map((file) => ({ ...file, origins: [] })),
    outside,
  );
  const opened = fleetFrom({ inputsAt: (folder) => inputsBelow(inputs, folder) }, []);
  if (!opened.ok)
    return problemsOf(opened).map(({ code, message, hint }) => ({
      problem: problem(code, message, { hint }),
      sites: [],
    }));
  const rows = new Map(opened.value.rows.map((row) => [row.name, row]));
  const faults = new GroupedProblems();
  for (const site of sites) faults.add(site.name, faultsOfSite(site, opened.value, rows.get(site.name)));
  return faults.list();
}

function faultsOfSite(site: ImportedSite, fleet: ReadFleet, row: SiteRow | undefined): readonly Problem[] {
  const made = row && filesOf(fleet, row);
  const other = site.files.find(
    ({ path, text }) => made === undefined || !saysSame(path, textIn(made.inputs.read(path)), text),
  );
  const found = [...(made?.problems ?? []), ...(made?.faults ?? [])];
  if (other === undefined && found.length === 0) return [];
  const faulty = found
    .find(({ at }) => at !== undefined)
    ?.at?.file.replace(/^(?:base|overrides\/[^/]+)\//, '');
  const path = other?.path ?? faulty ?? 'the site';
  const hint = 'a key that holds "${" is such a thing; import such a site alone';
  return [problem('import/malformed', `${path} cannot be said by a base and an override`, { hint })];
}

function inputsBelow(inputs: Inputs, folder: string): Inputs {
  return {
    ...inputs,
    read: (path) => inputs.read(posix.join(folder, path)),
    digest: (path) => inputs.digest(posix.join(folder, path)),
    list: (path) => inputs.list(posix.join(folder, path)),
  };
}

function textIn(read: InputRead): string | undefined {
  return read.kind === 'file' ? Buffer.from(read.bytes).toString('utf8') : undefined;
}

/** Whatever the order of fields; one without a value is one that is not there. */
function saysSame(path: string, left: string | undefined, right: string): boolean {
  if (left === right) return true;
  return left !== undefined && isYamlName(path) && dataIn(left) === dataIn(right);
}

function dataIn(text: string): string {
  return JSON.stringify(
    readYaml(text).documents.map((root) => toData(root)),
    (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([, each]) => each !== null)
              .toSorted(([one], [other]) => (one < other ? -1 : 1)),
          )
        : value,
  );
}
