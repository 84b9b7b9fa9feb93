import { type FleetProblem, GroupedProblems } from '../../fleet/problems/index.js';
import {
  InstanceWarnings,
  type LoadedFleet,
  filesOf,
  fleetFileName,
  loadFleet,
  type SiteRow,
} from '../../fleet/table/index.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import { processSurroundings } from '../surroundings.js';
import { isRecord } from '../../core/is-record.js';
import { posix } from 'node:path';

import type { GlobalOptions } from '../options.js';
import { exitCodeOf, report, reportProblems } from '../output/report.js';
import { siteProgress } from '../progress.js';
import { commandLine } from '../../run/effects/command-line.js';
import { type Problem, isError, problem } from '../../core/problem.js';
import { maskedArgument } from '../../core/quoted.js';
import { problemsOf } from '../../core/result.js';
import { fleetProblemsShown } from '../fleet/print-fleet-problems.js';
import { shellWord } from '../../formats/shell-word.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { toData } from '../../formats/yaml/yaml-tree.js';
import { isYamlName, readYaml } from '../../formats/yaml/yaml.js';
import type { InputRead, Inputs } from '../../graph/context.js';
import { type FleetFile, fleetOfSites, rolloutPlanName } from '../../import/fleet/fleet-of-sites.js';
import type { ImportedSite } from '../../import/imported-site.js';
import { importedInputs, checkImport } from '../../import/check-import.js';
import { secretFiles } from '../../import/secret-files.js';
import type { SourceKind } from '../../import/sources.js';
import { count } from '../../run/problem-text.js';
import { openImportSource } from './import-inputs.js';
import { outsideInputs, dryRunOf } from '../../import/dry-run.js';
import type { ImportOptions } from './import-options.js';
import { type SourceSite, prefixLocation, readSourceSites } from '../../import/read-source-sites.js';
import { type FolderConflict, writeFolder } from '../../import/write-folder.js';

type Options = GlobalOptions & ImportOptions;

/** Imports all sites below a folder as a fleet in --dir. Writes nothing if a site fails validation. */
export async function importFleet(kind: SourceKind, from: string, options: Options): Promise<void> {
  if (options.site !== undefined) {
    const hint = 'use only one of these options';
    const message = '--site selects one cluster, but --fleet imports all of them';
    report(options, { problems: [problem('usage/conflicting-options', message, { hint })] });
    return;
  }
  const opened = openImportSource(kind, from, options);
  if (!opened) return;
  const { source, overrides } = opened;
  // Problem locations are relative to the source folder.
  const telling = { ...options, dir: source.dir };
  const surroundings = processSurroundings();
  const imported = await readSourceSites(kind, source, { overrides, surroundings });
  if (!imported.ok) {
    report(telling, { problems: imported.problems });
    return;
  }
  const sites = imported.value.map(({ site }) => site);
  const judged = await checkImportedSites(imported.value, options, surroundings);
  const files = fleetOfSites(sites);
  const isSound = ![...imported.warnings, ...judged.map((each) => each.problem)].some(isError);
  const shown = [...imported.warnings, ...fleetProblemsShown(options, judged, sites.length)];
  const faults = isSound ? faultsOfFleet(sites, files, outsideInputs(surroundings)) : [];
  if (!isSound || faults.length > 0) {
    report(telling, { problems: [...shown, ...fleetProblemsShown(options, faults, sites.length)] });
    return;
  }
  await write(options, { files, sites, problems: shown, from: source.dir });
}

/** Checks the sites. Errors keep their location; settings without an equivalent are reported once with all affected sites. */
async function checkImportedSites(
  sites: readonly SourceSite[],
  options: Options,
  surroundings: Surroundings,
): Promise<readonly FleetProblem[]> {
  const screen = siteProgress(options, sites.length);
  const faults = new GroupedProblems();
  const notes = new InstanceWarnings({});
  const hasBmcs = sites.every(({ site }) => site.bmc !== undefined);
  let lack: Problem | undefined;
  for (const [index, { site, folder }] of sites.entries()) {
    const judge = (inputs: Parameters<typeof dryRunOf>[1]): ReturnType<typeof dryRunOf> =>
      dryRunOf('single-node-ignition-config', inputs, surroundings);
    const judged = await checkImport(site, judge, outsideInputs(surroundings));
    const found = judged.map((each) => (each.at === undefined ? each : prefixLocation(each, folder)));
    lack ??= found.find(({ code }) => code === 'import/no-pull-secret');
    const errors = found.filter(isError);
    // Report a missing pull secret once for all sites.
    faults.add(
      site.name,
      errors.map((each) => (each.code === 'import/no-pull-secret' ? (lack ?? each) : each)),
    );
    const warnings = found.filter(
      (each) => !isError(each) && !(hasBmcs && isOfBmc(each)) && !(site.isOnHold && isOfHold(each)),
    );
    notes.add({ name: site.name, layer: { files: [], problems: warnings } }, { documentsOf: () => [] });
    screen.onSite(index + 1);
  }
  screen.done();
  return [...faults.list(), ...notes.list()];
}

/** The BMC address is imported into the table. */
function isOfBmc({ at }: Problem): boolean {
  return at?.path?.endsWith('.bmcAddress') === true;
}

/** The site is on hold in the rollout plan. */
function isOfHold({ at }: Problem): boolean {
  return at?.path?.endsWith('.holdInstallation') === true;
}

interface MadeFleet {
  readonly files: readonly FleetFile[];
  readonly sites: readonly ImportedSite[];
  readonly problems: readonly Problem[];
  readonly from: string;
}

async function write(options: Options, { files, sites, problems, from }: MadeFleet): Promise<void> {
  const { dir } = options;
  const isForced = options.overwrite === true;
  const inTheWay = (there: Inputs): FolderConflict | undefined => fleetInTheWay(there, files);
  const written = await writeFolder({ dir, from, files, isForced, inTheWay, command: commandLine() });
  const ofWriting = problemsOf(written);
  if (options.output === 'text') {
    reportProblems({ ...options, dir: from }, problems);
    report(options, { problems: ofWriting, ...(written.ok && { text: summary(files, sites, options) }) });
    return;
  }
  const json = {
    sites: sites.map(({ name }) => name),
    dir,
    files: files.map(({ path }) => path),
    secrets: secretFiles(files).map(({ path }) => path),
  };
  report({ ...options, dir: from }, { problems: [...problems, ...ofWriting], json });
  process.exitCode = exitCodeOf([...problems, ...ofWriting]);
}

function summary(files: readonly FleetFile[], sites: readonly ImportedSite[], { dir }: Options): string {
  const ofBase = files.filter(({ path }) => path.startsWith('base/')).length;
  const held = sites.filter(({ isOnHold }) => isOnHold).length;
  const special = new Set(files.flatMap(({ path }) => /^overrides\/([^/]+)\//.exec(path)?.slice(1) ?? []));
  const lines = [
    `Imported ${count(sites.length, 'site')} into ${dir}: fleet.yaml, sites.csv, ${count(ofBase, 'file')} of the base.`,
    ...(held > 0 ? [`${count(held, 'site')} on hold in ${rolloutPlanName}.`] : []),
    ...(special.size > 0
      ? [`${count(special.size, 'site')} with an override for settings outside the table.`]
      : []),
    ...secretLines(files),
    `Next: \`sno-install fleet validate --dir ${shellWord(dir)}\`.`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Names the first files with secrets, up to a limit. */
function secretLines(files: readonly FleetFile[]): readonly string[] {
  const found = secretFiles(files);
  const more = found.length - shownSecrets;
  return [
    ...found
      .slice(0, shownSecrets)
      .map(({ path, holds }) => `${path} holds ${holds} in plain text; do not commit it to Git.`),
    ...(more > 0
      ? [`${count(more, 'more file')} with secrets in plain text; list them with --output json`]
      : []),
  ];
}

const shownSecrets = 10;

/**
 * Checks the generated fleet: it must pass `fleet validate`, and produce the same files as each imported site. Problems: fleet/…,
 * import/malformed.
 */
function faultsOfFleet(
  sites: readonly ImportedSite[],
  files: readonly FleetFile[],
  outside: Pick<Inputs, 'readReference'>,
): readonly FleetProblem[] {
  const inputs = importedInputs(
    files.map((file) => ({ ...file, origins: [] })),
    outside,
  );
  const opened = loadFleet({ inputsAt: (folder) => inputsBelow(inputs, folder) });
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

function faultsOfSite(site: ImportedSite, fleet: LoadedFleet, row: SiteRow | undefined): readonly Problem[] {
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
  const hint = 'keys that contain "${" cannot be used in a fleet; import this site on its own';
  return [problem('import/malformed', `${path} cannot be split into a base and an override`, { hint })];
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

/** Compares data without regard to field order. A null field equals a missing one. */
function saysSame(path: string, left: string | undefined, right: string): boolean {
  if (left === right) return true;
  return left !== undefined && isYamlName(path) && dataIn(left) === dataIn(right);
}

function dataIn(text: string): string {
  return JSON.stringify(
    readYaml(text).documents.map((root) => toData(root)),
    (_key, value: unknown) =>
      isRecord(value)
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([, each]) => each !== null)
              .toSorted(([one], [other]) => (one < other ? -1 : 1)),
          )
        : value,
  );
}

/**
 * Finds files of an earlier fleet that must not be overwritten or kept silently: user settings, and files that would be merged
 * into sites.
 */
function fleetInTheWay(
  there: Pick<Inputs, 'read' | 'list'>,
  files: readonly FleetFile[],
): FolderConflict | undefined {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const other = [fleetFileName, rolloutPlanName].find((path) => {
    const read = there.read(path);
    const settings = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
    return read.kind !== 'absent' && texts.has(path) && settings !== texts.get(path);
  });
  if (other !== undefined) {
    const hint = 'move it away, then copy its settings to the new one';
    return { words: `has a ${other} with other settings, which is not overwritten`, hint };
  }
  const left = ['base', 'overrides'].flatMap((folder) => pathsBelow(there, folder));
  const stranger = left.find((path) => !texts.has(path));
  if (stranger === undefined) return undefined;
  const hint = 'set --dir to another directory, or move base/ and overrides/ away';
  return {
    words: `has ${maskedArgument(stranger)}, which is not part of this import and would be merged with it`,
    hint,
  };
}

function pathsBelow(there: Pick<Inputs, 'list'>, folder: string): readonly string[] {
  return (there.list(folder) ?? []).flatMap((entry) => {
    const path = posix.join(folder, entry);
    return entry.endsWith('/') ? pathsBelow(there, path) : [path];
  });
}
