import { relative } from 'node:path';

import type { OutputFile } from '../../core/output-file.js';
import { problem, type Problem } from '../../core/problem.js';
import { programVersion } from '../../core/program-version.js';
import { quoted } from '../../core/quoted.js';
import { type Result, failure, problemsOf, success } from '../../core/result.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import { isReceipt } from '../../disk/receipt/receipt-shape.js';
import { receiptName } from '../../disk/receipt/receipt.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { parseJson } from '../../formats/json.js';
import { sha256 } from '../../formats/sha256.js';
import { goldenOutputs } from '../dry-run-outputs.js';
import { type ReviewSide, sideOfOutputs, sideOfTree } from '../../review/diff/review-side.js';
import { treeMark } from '../../review/output-tree.js';
import type { Tree } from '../../review/review-tree.js';
import type { TargetName } from '../targets.js';
import { readConfigFile } from './ignition-file.js';
import { ourTemplates } from './own-templates.js';
import { type ReviewFolder, outputsIn } from './review-folder.js';

/** A folder, or a file with a config. */
export type Compared = { readonly folder: ReviewFolder } | { readonly file: string };

/** Target for folders that contain only inputs. */
export interface SideOptions {
  readonly target: TargetName;
  readonly offlineFiles?: string;
  /** Decrypts encrypted outputs. */
  readonly access: StateAccess;
}

/** Two comparable sides: trees, configs, or outputs generated from inputs on both. Problems: those of reading, and of every asset. */
export async function sidesOf(
  compared: readonly [Compared, Compared],
  order: SideOptions,
): Promise<Result<readonly [ReviewSide, ReviewSide]>> {
  const folders = compared.flatMap((each) => ('folder' in each ? [each.folder] : []));
  const isMade =
    folders.length === 2 && folders.every(canBeMade) && !folders.every(({ hasConfigs }) => hasConfigs);
  const contents: Result<Contents>[] = [];
  for (const each of compared) contents.push(await contentsOf(each, { ...order, isMade }));
  const [before, after] = contents;
  if (before?.ok !== true || after?.ok !== true) return failure(...contents.flatMap(problemsOf));
  const sides = sidesWith([before.value, after.value]);
  const outdated = isMade ? [] : folders.flatMap(outdatedOutputs);
  // Other warnings of the old side are left out.
  return sides.ok ? success(sides.value, [...outdated, ...after.warnings]) : sides;
}

/** Warns if inputs changed since the compared outputs were written, according to their receipt. Warnings: inspect/outdated-outputs. */
function outdatedOutputs({ name, inputs, hasInputs, hasConfigs }: ReviewFolder): readonly Problem[] {
  const read = hasInputs && hasConfigs ? inputs.read(receiptName) : undefined;
  const receipt = read?.kind === 'file' ? parseJson(Buffer.from(read.bytes).toString('utf8')) : undefined;
  if (!isReceipt(receipt)) return [];
  const changed = receipt.inputs.filter((input) => {
    const found = inputs.read(input.path);
    if (found.kind !== 'file') return found.kind === 'absent' && !('absent' in input);
    // Only the owner of the outputs can compute a keyed hash; `verify` does.
    return 'absent' in input || ('sha256' in input && sha256(found.bytes) !== input.sha256);
  });
  if (changed.length === 0) return [];
  const paths = changed.map(({ path }) => quoted(path)).join(', ');
  const message = `the Ignition configs in ${relative('', name) || '.'} are compared, but they are older than ${paths}`;
  const hint = 'run `create` again to compare the present configuration';
  return [problem('inspect/outdated-outputs', message, { hint })];
}

function canBeMade({ isTree, isEmpty, hasInputs }: ReviewFolder): boolean {
  return !isTree && (hasInputs || isEmpty);
}

async function contentsOf(
  compared: Compared,
  order: SideOptions & { readonly isMade: boolean },
): Promise<Result<Contents>> {
  if ('file' in compared) {
    const read = await readConfigFile(compared.file, compared.file, order.access);
    return read.ok ? success({ config: read.value }) : read;
  }
  const { folder } = compared;
  if (folder.isTree) {
    const texts = folder.texts();
    return texts.ok ? success({ tree: texts.value }) : texts;
  }
  if (folder.isEmpty) return success({ files: [] });
  const files =
    folder.hasConfigs && !order.isMade ? await outputsIn(folder, order.access) : await madeOf(folder, order);
  return files.ok ? success({ files: files.value }, files.warnings) : files;
}

/** Outputs generated from the inputs in a folder, with placeholder keys. */
async function madeOf(folder: ReviewFolder, order: SideOptions): Promise<Result<readonly OutputFile[]>> {
  if (!folder.hasInputs) {
    const message = `${folder.name} contains neither a tree nor an Ignition config nor an install-config.yaml`;
    return failure(problem('review/nothing-to-show', message));
  }
  const made = await goldenOutputs({
    ...order,
    inputs: folder.inputs,
    templates: ownTemplates(),
    placeholderRegistries: [],
  });
  const placed = problemsOf(made).map(folder.placed);
  return made.ok ? success(made.value, placed) : failure(...placed);
}

function sidesWith(contents: readonly [Contents, Contents]): Result<readonly [ReviewSide, ReviewSide]> {
  const ours = ourTemplates();
  // A tree lists constant files by name; then the other side does, too.
  const templates = contents.some((each) => 'tree' in each) ? ours : new Map<string, string>();
  const [left, right] = contents;
  const [before, after] = [aligned(left, right), aligned(right, left)];
  if (!before.ok || !after.ok) return failure(...[before, after].flatMap(problemsOf));
  const sideOf = (each: Aligned): ReviewSide =>
    'tree' in each
      ? sideOfTree(each.tree, namedByTree(each.tree, ours))
      : sideOfOutputs(each.files, templates);
  return success([sideOf(before.value), sideOf(after.value)]);
}

/** The constant files of this version, for a tree that this version wrote. */
function namedByTree(tree: Tree, ours: ReadonlyMap<string, string>): Tree {
  if (!(tree['index.txt'] ?? '').startsWith(`${treeMark}${programVersion}\n`)) return {};
  return Object.fromEntries(
    [...ours].map(([bytes, name]) => [name, Buffer.from(bytes, 'latin1').toString('utf8')]),
  );
}

/** A side before the kind of the other is known. */
type Contents =
  { readonly tree: Tree } | { readonly files: readonly OutputFile[] } | { readonly config: OutputFile };

/** Boot configs; one of them is compared if the other side is a single file. */
const bootConfigs = ['bootstrap-in-place-for-live-iso.ign', 'aio.ign'];

/** A side whose config has the same name as on the other side. */
type Aligned = Exclude<Contents, { readonly config: unknown }>;

/** A single config gets the name of its counterpart, and a folder is reduced to that config. */
function aligned(each: Contents, other: Contents): Result<Aligned> {
  if ('config' in each) {
    const name =
      'config' in other ? commonName(each.config, other.config) : configNameIn(other, each.config.path);
    return success({ files: [{ ...each.config, path: name ?? each.config.path }] });
  }
  if (!('config' in other)) return success(each);
  const name = configNameIn(each, other.config.path);
  if (name === undefined) {
    const message = `the other side has no config to compare with ${other.config.path}`;
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
