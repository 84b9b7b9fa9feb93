import { basename, dirname, join, normalize } from 'node:path';

import type { Problem } from '../core/problem.js';
import { closest } from '../core/suggest.js';
import { uncachedInputs } from '../disk/read-inputs.js';
import { shellWord } from '../formats/shell-word.js';
import type { Inputs } from '../graph/context.js';

const configName = 'install-config.yaml';

/** Adds the folders and files near the directory to the hint of a missing install-config.yaml. */
export function withFolderHints(
  { dir, source }: { readonly dir: string; readonly source?: unknown },
  problems: readonly Problem[],
): readonly Problem[] {
  // The inputs of a fleet site are not in its directory.
  if (source !== undefined) return problems;
  return problems.map((found) =>
    found.code === 'config/file-missing' ? { ...found, hint: folderHint(dir) } : found,
  );
}

function folderHint(dir: string): string {
  const inputs = uncachedInputs(dir);
  const shown = shellWord(normalize(dir));
  const create = `run \`sno-install create install-config --dir ${shown}\`, or name another folder with --dir`;
  const names = (inputs.list('.') ?? []).filter((name) => !name.startsWith('.'));
  if (names.length === 0) return `${shown} does not exist or is empty: ${siblingHint(dir) ?? create}`;
  if (names.includes('fleet.yaml')) return `${shown} contains fleet.yaml: use \`sno-install fleet validate\``;
  const below = foldersWithConfig(inputs);
  if (below.length > 0) return `name one of these folders with --dir: ${listed(dir, below)}`;
  return `${shown} contains ${limited(names)}: ${create}`;
}

/** Folders with a config in the parent of a directory. */
function siblingHint(dir: string): string | undefined {
  const parent = dirname(normalize(dir));
  const folders = foldersWithConfig(uncachedInputs(parent));
  const similar = closest(basename(dir), folders);
  if (similar !== undefined) return `did you mean --dir ${shellWord(join(parent, similar))}?`;
  return folders.length === 0
    ? undefined
    : `name one of these folders with --dir: ${listed(parent, folders)}`;
}

function foldersWithConfig(inputs: Inputs): readonly string[] {
  return (inputs.list('.') ?? [])
    .flatMap((name) => (name.endsWith('/') && !name.startsWith('.') ? [name.slice(0, -1)] : []))
    .filter((name) => inputs.read(join(name, configName)).kind === 'file');
}

function listed(parent: string, folders: readonly string[]): string {
  return limited(folders.map((name) => shellWord(join(parent, name))));
}

const maxNames = 5;

function limited(names: readonly string[]): string {
  const rest = names.length - maxNames;
  return [...names.slice(0, maxNames), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
