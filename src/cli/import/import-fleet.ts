import { exitCodeOf, report, reportProblems } from '../../command-line/output/report.js';
import type { GlobalOptions } from '../../command-line/options.js';
import { siteProgress } from '../../command-line/progress.js';
import { commandLine } from '../../command-line/request.js';
import { isError, problem, type Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { fleetProblemsShown } from '../../fleet-command-line/tell-fleet.js';
import { GroupedProblems, type FleetProblem } from '../../fleet/grouped-problems.js';
import { InstanceNotes } from '../../fleet/instance-table/instance-notes.js';
import { shellWord } from '../../formats/shell-word.js';
import type { Inputs } from '../../graph/context.js';
import { fleetOfSites, type FleetFile } from '../../imports/fleet/fleet-of-sites.js';
import type { ImportedSite } from '../../imports/imported-site.js';
import { judgeImport } from '../../imports/judge-import.js';
import { secretFiles } from '../../imports/secret-files.js';
import type { SourceKind } from '../../imports/sources.js';
import { count } from '../../telling/problem-text.js';
import { faultsOfFleet } from './check-fleet.js';
import { fleetInTheWay } from './fleet-in-the-way.js';
import { openedSource, outsideInputs, rehearsed } from './import-means.js';
import type { ImportOptions } from './import-options.js';
import { below, sitesOf, type SourceSite } from './sites-of-source.js';
import { writeFolder, type InTheWay } from './write-folder.js';

type Options = GlobalOptions & ImportOptions;

/** Makes a fleet of all sites below a folder in --dir, if `validate` finds nothing wrong with any of them. */
export async function importFleet(kind: SourceKind, from: string, options: Options): Promise<void> {
  if (options.site !== undefined) {
    const hint = 'leave out one of them';
    const message = '--site names one cluster, and --fleet takes all of them';
    report(options, { problems: [problem('usage/unknown-argument', message, { hint })] });
    return;
  }
  const opened = openedSource(kind, from, options);
  if (!opened) return;
  const { source, wishes } = opened;
  // Problems stand in the source, and are told from there.
  const telling = { ...options, dir: source.dir };
  const taken = await sitesOf(kind, source, wishes);
  if (!taken.ok) {
    report(telling, { problems: taken.problems });
    return;
  }
  const sites = taken.value.map(({ site }) => site);
  const judged = await judgedSites(taken.value, options);
  const files = fleetOfSites(sites);
  const isSound = ![...taken.warnings, ...judged.map((each) => each.problem)].some(isError);
  const shown = [...taken.warnings, ...fleetProblemsShown(options, judged, sites.length)];
  const faults = isSound ? faultsOfFleet(sites, files, outsideInputs()) : [];
  if (!isSound || faults.length > 0) {
    report(telling, { problems: [...shown, ...fleetProblemsShown(options, faults, sites.length)] });
    return;
  }
  await write(options, { files, sites, problems: shown, from: source.dir });
}

/** Errors where they stand; what has no place once, with all sites that have it. */
async function judgedSites(sites: readonly SourceSite[], options: Options): Promise<readonly FleetProblem[]> {
  const screen = siteProgress(options, sites.length);
  const faults = new GroupedProblems();
  const notes = new InstanceNotes({});
  const hasBmcs = sites.every(({ site }) => site.bmc !== undefined);
  let lack: Problem | undefined;
  for (const [index, { site, folder }] of sites.entries()) {
    const judge = (inputs: Parameters<typeof rehearsed>[1]): ReturnType<typeof rehearsed> =>
      rehearsed('single-node-ignition-config', inputs);
    const judged = await judgeImport(site, judge, outsideInputs());
    const found = judged.map((each) => (each.at === undefined ? each : below(each, folder)));
    lack ??= found.find(({ code }) => code === 'import/no-pull-secret');
    const errors = found.filter(isError);
    // Nobody needs to be told a thousand times where to put one file.
    faults.add(
      site.name,
      errors.map((each) => (each.code === 'import/no-pull-secret' ? (lack ?? each) : each)),
    );
    const warnings = found.filter((each) => !isError(each) && !(hasBmcs && isOfBmc(each)));
    notes.add({ name: site.name, layer: { files: [], problems: warnings } }, { documentsOf: () => [] });
    screen.onSite(index + 1);
  }
  screen.done();
  return [...faults.list(), ...notes.list()];
}

/** It goes to the table. */
function isOfBmc({ at }: Problem): boolean {
  return at?.path?.endsWith('.bmcAddress') === true;
}

interface MadeFleet {
  readonly files: readonly FleetFile[];
  readonly sites: readonly ImportedSite[];
  readonly problems: readonly Problem[];
  readonly from: string;
}

async function write(options: Options, { files, sites, problems, from }: MadeFleet): Promise<void> {
  const { dir } = options;
  const isForced = options.force === true;
  const inTheWay = (there: Inputs): InTheWay | undefined => fleetInTheWay(there, files);
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
  const special = new Set(files.flatMap(({ path }) => /^overrides\/([^/]+)\//.exec(path)?.slice(1) ?? []));
  const lines = [
    `Imported ${count(sites.length, 'site')} into ${dir}: fleet.yaml, sites.csv, ${count(ofBase, 'file')} of the base.`,
    ...(special.size > 0
      ? [`${count(special.size, 'site')} with an override, for what is not in the table.`]
      : []),
    ...secretLines(files),
    `Next: \`sno-install fleet validate --dir ${shellWord(dir)}\`.`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Each that has one, as long as there are few. */
function secretLines(files: readonly FleetFile[]): readonly string[] {
  const found = secretFiles(files);
  const more = found.length - shownSecrets;
  return [
    ...found
      .slice(0, shownSecrets)
      .map(({ path, holds }) => `${path} holds ${holds} in plain text: keep it out of Git.`),
    ...(more > 0
      ? [`So ${more === 1 ? 'does' : 'do'} ${count(more, 'more file')}: --output json names all.`]
      : []),
  ];
}

const shownSecrets = 10;
