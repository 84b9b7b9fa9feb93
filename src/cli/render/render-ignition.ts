import { basename, join, relative } from 'node:path';

import type { OutputFile } from '../../core/output-file.js';
import { problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { cachedInputs } from '../../disk/read-inputs.js';
import { plainName } from '../../disk/state/sealed-outputs.js';
import { replaceTree } from '../../disk/replace-tree.js';
import { duplicatesIn } from '../../ignition/violation.js';
import { outputTree } from '../../review/output-tree.js';
import type { Tree } from '../../review/review-tree.js';
import { treeKind } from '../../review/tree-kind.js';
import type { GlobalOptions, RenderIgnitionOptions } from '../options.js';
import { report } from '../output/report.js';
import { stateAccess } from '../request.js';
import { readConfigFile } from '../../run/sources/ignition-file.js';
import { ourTemplates } from '../../run/sources/own-templates.js';

/** Writes the named Ignition configs, or all of the directory, as a readable tree. */
export async function renderIgnition(
  named: readonly string[],
  options: GlobalOptions & RenderIgnitionOptions,
): Promise<void> {
  const tree = await treeFrom(named, options);
  const written = tree.ok ? replaceTree(options.out, tree.value, treeKind) : tree;
  report(options, {
    problems: problemsOf(written),
    ...(tree.ok && {
      text: summary(options.out, Object.keys(tree.value)),
      json: { tree: options.out, files: Object.keys(tree.value) },
    }),
  });
}

async function treeFrom(named: readonly string[], options: GlobalOptions): Promise<Result<Tree>> {
  const { dir } = options;
  const access = stateAccess(options);
  const paths = named.length > 0 ? named : configsIn(dir);
  if (paths.length === 0) {
    const message = `no Ignition configs in ${dir}`;
    return failure(
      problem('review/nothing-to-show', message, { hint: 'run `create` first, or name a file' }),
    );
  }
  const [twice] = duplicatesIn(paths.map((path) => plainName(basename(path))));
  if (twice !== undefined) return failure(problem('review/one-name', `two files have the name ${twice}`));
  const configs: Result<OutputFile>[] = [];
  for (const path of paths) configs.push(await readConfigFile(path, relative(dir, path), access));
  const files = configs.flatMap((config) => (config.ok ? [config.value] : []));
  if (files.length < configs.length) return failure(...configs.flatMap(problemsOf));
  return success(outputTree(files, ourTemplates()));
}

function configsIn(dir: string): readonly string[] {
  const names = cachedInputs(dir, {}).list('.') ?? [];
  return names.filter((name) => plainName(name).endsWith('.ign')).map((name) => join(dir, name));
}

function summary(out: string, files: readonly string[]): string {
  const configs = files.filter((path) => path.endsWith('.ign.json'));
  return [
    ...configs.map((path) => {
      const name = path.slice(0, -'.json'.length);
      const count = files.filter((each) => each.startsWith(`${name}.d/`)).length;
      return `${join(out, path)}: the config${count === 0 ? '' : `, with the files of the node in ${name}.d/`}`;
    }),
    `Wrote ${files.length} files. They contain no keys, passwords or tokens.`,
    '',
  ].join('\n');
}
