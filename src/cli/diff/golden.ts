import { problem } from '../../core/problem.js';
import { failure, problemsOf, type Result } from '../../core/result.js';
import { replaceTree } from '../../disk/replace-tree.js';
import { standardInput } from '../../disk/external-files/standard-input.js';
import { diffSides } from '../../review/diff/diff-sides.js';
import { sideOfTree } from '../../review/diff/review-side.js';
import type { Tree } from '../../review/review-tree.js';
import { treeKind } from '../../review/tree-kind.js';
import { registriesInTree } from '../../run/placeholder-secret.js';
import { goldenTreeOf, siteNameOf, type Site } from '../../run/sources/golden-sites.js';
import { folderOnDisk } from '../../run/sources/review-folder.js';
import { isTargetName } from '../../run/targets.js';
import type { AioOptions, GlobalOptions, GoldenOptions } from '../options.js';
import { count } from '../../run/problem-text.js';
import { report } from '../output/report.js';
import { urlOrPath } from '../../run/effects/command-line.js';
import { reportDifferences } from './report-differences.js';

type Options = GlobalOptions & GoldenOptions & AioOptions;

/** Writes the golden tree of sites, which depends only on their files, or compares it with the existing tree. */
export async function golden(dirs: readonly string[], options: Options): Promise<void> {
  const sites =
    dirs.length === 0
      ? [{ dir: options.dir, name: '' }]
      : dirs.map((dir) => ({ dir, name: siteNameOf(dir) }));
  const { target, offlineFiles } = options;
  if (!isTargetName(target)) throw new Error(`internal error: unknown target ${target}`);
  const there = options.check === true ? treeAt(options.out) : undefined;
  const made = await goldenTreeOf(sites, {
    ...(there?.ok && { placeholderRegistries: registriesInTree(Object.values(there.value)) }),
    target,
    present: new Date(),
    outside: { variables: process.env, stdin: standardInput() },
    ...(offlineFiles !== undefined && { offlineFiles: urlOrPath(offlineFiles) }),
  });
  if (there !== undefined) check(options, made, there);
  else write(options, made, sites);
}

function write(options: Options, made: Result<Tree>, sites: readonly Site[]): void {
  const written = made.ok ? replaceTree(options.out, made.value, treeKind) : made;
  const files = made.ok ? Object.keys(made.value).length : 0;
  report(
    { ...options, dir: '.' },
    {
      problems: [...(made.ok ? made.warnings : []), ...problemsOf(written)],
      text: `Wrote ${files} files of ${count(sites.length, 'site')} to ${options.out}. They contain no secrets and cannot boot a machine.\n`,
      json: { tree: options.out, sites: sites.map(({ name }) => name), files },
    },
  );
}

function treeAt(out: string): Result<Tree> {
  const there = folderOnDisk(out);
  return there.isTree ? there.texts() : noTree(out);
}

function check(options: Options, made: Result<Tree>, before: Result<Tree>): void {
  reportDifferences(
    { ...options, dir: '.' },
    {
      problems: [before, made].flatMap(problemsOf),
      ...(before.ok &&
        made.ok && { differences: diffSides(sideOfTree(before.value), sideOfTree(made.value)) }),
      what: `${options.out} and the current result for the sites`,
      advice: 'If the differences are intended, run the command again without --check and commit the tree.',
    },
  );
}

function noTree(out: string): Result<Tree> {
  const hint = 'run the command without --check and commit the tree';
  return failure(problem('review/not-a-tree', `--out ${out} does not contain a golden tree`, { hint }));
}
