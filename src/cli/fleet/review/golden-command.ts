import { areEqual } from './show-fleet.js';
import {
  compareSharedTrees,
  goldenFleet,
  treeOnDisk,
  readTreeOnDisk,
  type FleetDifferences,
  type SharedTree,
} from '../../../fleet/review/index.js';
import { type LoadedFleet, isPartial } from '../../../fleet/table/index.js';
import { processSurroundings } from '../../surroundings.js';
import { problem, type Problem } from '../../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../../core/result.js';
import { standardInput, type Stdin } from '../../../disk/external-files/standard-input.js';
import { replaceTree } from '../../../disk/replace-tree.js';
import type { Tree } from '../../../review/review-tree.js';
import { treeKind } from '../../../review/tree-kind.js';
import { registriesInTree } from '../../../run/placeholder-secret.js';
import { expiredIn } from '../../../run/sources/golden-sites.js';
import { relativeToWorkingDirectory } from '../../../formats/working-directory.js';
import { folderOnDisk } from '../../../run/sources/review-folder.js';
import { report } from '../../output/report.js';
import { siteProgress } from '../../progress.js';
import { usageError } from '../../usage-error.js';
import { count } from '../../../run/problem-text.js';
import { openFleetOf } from '../open-fleet.js';
import { parseJobs } from '../jobs-option.js';
import { fleetProblemsShown } from '../print-fleet-problems.js';
import { reportFleetDifferences } from './report-fleet-differences.js';
import type { ComparingFleet, FleetGoldenOptions } from './review-options.js';

type Options = ComparingFleet & FleetGoldenOptions;

/** Writes the golden tree of a fleet, which depends only on its files, or compares it with the existing tree. */
export async function writeFleetGolden(options: Options): Promise<void> {
  if (isPartial(options) && options.check !== true) {
    const option = options.only.length > 0 ? '--only' : '--where';
    const hint = `remove ${option}, or add --check to compare only some sites`;
    usageError(options, `${option} requires --check, because a tree contains all sites`, hint);
    return;
  }
  const jobs = parseJobs(options);
  if (jobs === undefined) return;
  const stdin = standardInput();
  const opened = openFleetOf(options, stdin);
  const there = options.check === true ? treeAt(options.out) : undefined;
  const registries = there?.ok === true ? registriesInTree(Object.values(there.value)) : undefined;
  const made = opened.ok ? await madeOf(opened.value, { jobs, stdin, registries }, options) : opened;
  const problems = [...problemsOf(opened), ...(opened.ok ? problemsOf(made) : [])];
  const placed = problems.map((each) => relativeToWorkingDirectory(options.dir, each));
  if (there !== undefined) check(options, made, { problems: placed, texts: there });
  else write(options, made, placed);
}

interface GoldenContext {
  readonly jobs: number;
  readonly stdin: Stdin;
  /** Registries of the placeholder for a missing pull secret. */
  readonly registries: readonly string[] | undefined;
}

/** A tree as data and as files. */
interface GoldenTree {
  readonly shared: SharedTree;
  readonly laid: Tree;
  /** Sites that cannot be rendered; empty if the tree is to be written. */
  readonly notRendered: FleetDifferences['notCompared'];
}

async function madeOf(
  read: LoadedFleet,
  { jobs, stdin, registries }: GoldenContext,
  options: Options,
): Promise<Result<GoldenTree>> {
  const { length } = read.rows;
  const screen = siteProgress(options, length, process.stderr, 'rendering sites');
  const { dir, offlineFiles } = options;
  const { problems, tree, notRendered } = await goldenFleet(read, {
    ...{ dir, jobs, onSite: screen.onSite },
    ...(offlineFiles !== undefined && { offlineFiles }),
    ...(registries && { placeholderRegistries: registries }),
    surroundings: processSurroundings(stdin),
  });
  screen.done();
  const shown = fleetProblemsShown(options, problems, length);
  if (notRendered.length > 0 && options.check !== true) return failure(...shown);
  const laid = treeOnDisk(tree, read.fleet.target);
  return success({ shared: tree, laid, notRendered }, [...shown, ...expiredIn(laid, new Date())]);
}

function write(options: Options, made: Result<GoldenTree>, found: readonly Problem[]): void {
  const { out } = options;
  const written = made.ok ? replaceTree(out, made.value.laid, treeKind) : success(undefined);
  const files = made.ok ? Object.keys(made.value.laid).length : 0;
  const sites = made.ok ? [...made.value.shared.sites.keys()] : [];
  const text = `Wrote ${files} files of ${count(sites.length, 'site')} to ${out}. They contain no secrets and cannot boot a machine.\n`;
  report(
    { ...options, dir: '.' },
    {
      problems: [...found, ...problemsOf(written)],
      text,
      json: { tree: out, sites, files },
    },
  );
}

function treeAt(out: string): Result<Tree> {
  const there = folderOnDisk(out);
  return there.isTree ? there.texts() : noTree(out);
}

function check(
  options: Options,
  made: Result<GoldenTree>,
  { problems, texts }: { readonly problems: readonly Problem[]; readonly texts: Result<Tree> },
): void {
  const { out } = options;
  const before = texts.ok ? readTreeOnDisk(texts.value) : undefined;
  const treeProblems = texts.ok ? (before === undefined ? problemsOf(noTree(out)) : []) : texts.problems;
  const what = `${out} and the current result for the fleet`;
  if (before === undefined || !made.ok || !texts.ok) {
    reportFleetDifferences({ ...options, dir: '.' }, { problems: [...treeProblems, ...problems], what });
    return;
  }
  const { notRendered } = made.value;
  const isWhole = !isPartial(options) && notRendered.length === 0;
  const sites = isPartial(options) ? shared(before, made.value.shared) : without(before, notRendered);
  const found = { ...compareSharedTrees({ ...before, sites }, made.value.shared), notCompared: notRendered };
  const isStale = areEqual(found) && isWhole && !areSame(texts.value, made.value.laid);
  const stale = isStale
    ? [problem('review/other-form', `${out} has the same contents in another format`)]
    : [];
  reportFleetDifferences(
    { ...options, dir: '.' },
    {
      problems: [...problems, ...stale],
      found,
      what,
      advice: 'If the differences are intended, run the command again without --check and commit the tree.',
    },
  );
}

function shared(before: SharedTree, after: SharedTree): SharedTree['sites'] {
  return new Map([...before.sites].filter(([name]) => after.sites.has(name)));
}

function without({ sites }: SharedTree, notRendered: FleetDifferences['notCompared']): SharedTree['sites'] {
  const names = new Set(notRendered.flatMap((each) => each.sites));
  return new Map([...sites].filter(([name]) => !names.has(name)));
}

function areSame(left: Tree, right: Tree): boolean {
  const paths = Object.keys(left);
  return paths.length === Object.keys(right).length && paths.every((path) => left[path] === right[path]);
}

function noTree(out: string): Result<Tree> {
  const hint = 'run the command without --check and commit the tree';
  return failure(
    problem('review/not-a-tree', `--out ${out} does not contain a golden tree of a fleet`, { hint }),
  );
}
