import type { OutputFile } from '../../core/output-file.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { Tree } from '../review-tree.js';

/** A side before it is known what the other is. */
export type Contents =
  { readonly tree: Tree } | { readonly files: readonly OutputFile[] } | { readonly config: OutputFile };

/** Configs that a machine boots with; of a folder that is compared with a file, one of them is meant. */
const bootConfigs = ['bootstrap-in-place-for-live-iso.ign', 'aio.ign'];

/** A side whose config goes by the name that it has on the other. */
export type Aligned = Exclude<Contents, { readonly config: unknown }>;

/** A single config goes by the name of what it is compared with, and of a folder only that config is compared. */
export function aligned(each: Contents, other: Contents): Result<Aligned> {
  if ('config' in each) {
    const name =
      'config' in other ? commonName(each.config, other.config) : configNameIn(other, each.config.path);
    return success({ files: [{ ...each.config, path: name ?? each.config.path }] });
  }
  if (!('config' in other)) return success(each);
  const name = configNameIn(each, other.config.path);
  if (name === undefined) {
    const message = `the other side has no config that ${other.config.path} could be compared with`;
    return failure(problem('review/nothing-to-show', message, { hint: 'name the file on both sides' }));
  }
  return success(only(each, name));
}

function commonName(left: OutputFile, right: OutputFile): string {
  return left.path === right.path ? left.path : 'config.ign';
}

function configNameIn(contents: Aligned, wanted: string): string | undefined {
  const names =
    'tree' in contents
      ? Object.keys(contents.tree).flatMap((path) => /^([^/]*\.ign)\.json$/.exec(path)?.[1] ?? [])
      : contents.files.flatMap(({ path }) => (path.endsWith('.ign') ? [path] : []));
  const [only, ...others] = names;
  return (
    [wanted, ...bootConfigs].find((name) => names.includes(name)) ?? (others.length === 0 ? only : undefined)
  );
}

function only(contents: Aligned, name: string): Aligned {
  if ('files' in contents) return { files: contents.files.filter(({ path }) => path === name) };
  const kept = Object.entries(contents.tree).filter(([path]) => path.startsWith(`${name}.`));
  return { tree: Object.fromEntries([...kept, ['index.txt', indexOfOne(contents.tree, name)]]) };
}

function indexOfOne(tree: Tree, name: string): string {
  const lines = (tree['index.txt'] ?? '').split('\n');
  return lines
    .filter((line, at) => at === 0 || line.endsWith(` ${name}`))
    .map((line) => `${line}\n`)
    .join('');
}
