import { relative, resolve, sep } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { templatesFolder } from '../../disk/package.js';
import { replaceTree } from '../../disk/replace-tree.js';
import { templatesFrom } from '../../disk/templates.js';
import { goldenOutputs } from '../../golden-outputs.js';
import { repeated } from '../../ignition/violation.js';
import { diffSides } from '../../review/diff/diff-sides.js';
import { sideOfTree, templatesFolder as templatesInTree } from '../../review/diff/review-side.js';
import { endedCertificates } from '../../review/ended-certificates.js';
import { knownTemplates, treeMark } from '../../review/explode.js';
import { goldenTree, type GoldenSite } from '../../review/golden-tree.js';
import type { Tree } from '../../review/review-tree.js';
import { isTargetName, type TargetName } from '../../targets.js';
import type { AioOptions, GoldenOptions } from '../options.js';
import { count, fromWorkingDirectory } from '../output/problem-text.js';
import { report } from '../output/report.js';
import { urlOrPath } from '../request.js';
import { reportDifferences, type ComparingOptions } from './report-differences.js';
import { folderOnDisk } from './review-folder.js';

type Options = ComparingOptions & GoldenOptions & AioOptions;

/** Writes what is made of sites as a tree that hangs on their files alone, or compares it with the one that is there. */
export async function golden(dirs: readonly string[], options: Options): Promise<void> {
  const sites =
    dirs.length === 0 ? [{ dir: options.dir, name: '' }] : dirs.map((dir) => ({ dir, name: nameOf(dir) }));
  const made = await madeTree(sites, options);
  const present = new Date();
  const warnings = made.ok ? [...made.warnings, ...endedIn(made.value, present)] : [];
  if (options.check === true) check(options, made.ok ? success(made.value, warnings) : made);
  else write(options, made.ok ? success(made.value, warnings) : made, sites);
}

interface Site {
  readonly dir: string;
  readonly name: string;
}

/** The path from the working directory, so that a tree is the same wherever the repository lies. */
function nameOf(dir: string): string {
  const parts = relative('', resolve(dir)).split(sep);
  return parts.filter((part) => part !== '' && part !== '..').join('/') || 'site';
}

async function madeTree(sites: readonly Site[], options: Options): Promise<Result<Tree>> {
  const { target } = options;
  if (!isTargetName(target)) throw new Error(`internal error: there is no target ${target}`);
  const clash = whyClash(sites.map(({ name }) => name));
  if (clash !== undefined) return failure(problem('review/one-name', clash));
  const made: Result<GoldenSite>[] = [];
  for (const site of sites) made.push(await madeSite(site, target, options));
  const done = made.flatMap((each) => (each.ok ? [each.value] : []));
  if (done.length < made.length) return failure(...made.flatMap(problemsOf));
  const templates = knownTemplates(templatesFrom(templatesFolder()));
  return success(goldenTree(done, templates), made.flatMap(problemsOf));
}

/** Why sites cannot stand beside one another in a tree. */
function whyClash(names: readonly string[]): string | undefined {
  const [twice] = repeated(names);
  if (twice !== undefined) return `two of the sites are called ${twice}`;
  const reserved = names.find((name) => `${name}/`.startsWith(templatesInTree));
  return reserved === undefined ? undefined : `a site cannot be called ${reserved}: templates stand there`;
}

async function madeSite(site: Site, target: TargetName, options: Options): Promise<Result<GoldenSite>> {
  const { offlineFiles } = options;
  const { inputs, hasInputs } = folderOnDisk(site.dir);
  if (!hasInputs)
    return failure(problem('review/nothing-to-show', `${site.dir} holds no install-config.yaml`));
  const made = await goldenOutputs({
    target,
    inputs,
    templatesFolder: templatesFolder(),
    ...(offlineFiles !== undefined && { offlineFiles: urlOrPath(offlineFiles) }),
  });
  const placed = problemsOf(made).map((found) => fromWorkingDirectory(site.dir, found));
  return made.ok ? success({ name: site.name, target, files: made.value }, placed) : failure(...placed);
}

function endedIn(tree: Tree, present: Date): readonly Problem[] {
  return endedCertificates(tree, present).map(({ subject, ended, path }) =>
    problem(
      'review/certificate-ended',
      `the certificate ${subject} ended at ${ended}; the tree has it in ${path}`,
    ),
  );
}

function write(options: Options, made: Result<Tree>, sites: readonly Site[]): void {
  const written = made.ok ? replaceTree(options.out, made.value, treeMark) : made;
  const files = made.ok ? Object.keys(made.value).length : 0;
  report(
    { ...options, dir: '.', output: options.output === 'json' ? 'json' : 'text' },
    {
      problems: [...(made.ok ? made.warnings : []), ...problemsOf(written)],
      text: `Wrote ${files} files of ${count(sites.length, 'site')} to ${options.out}. They hold no secret, and nothing of them boots.\n`,
      json: { tree: options.out, sites: sites.map(({ name }) => name), files },
    },
  );
}

function check(options: Options, made: Result<Tree>): void {
  const there = folderOnDisk(options.out);
  const before = there.isTree ? there.texts() : noTree(options.out);
  reportDifferences(
    { ...options, dir: '.' },
    {
      problems: [before, made].flatMap(problemsOf),
      ...(before.ok &&
        made.ok && { differences: diffSides(sideOfTree(before.value), sideOfTree(made.value)) }),
      what: `${options.out} and what is made of the sites now`,
      advice: 'If that is meant, run the command again without --check and commit the tree.',
    },
  );
}

function noTree(out: string): Result<Tree> {
  const hint = 'run the command without --check once, and commit what it writes';
  return failure(problem('review/not-a-tree', `--out ${out} holds no golden tree`, { hint }));
}
