import { join, posix } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { isAge } from '../../formats/age.js';
import { shellWord } from '../../formats/shell-word.js';
import { fileSize } from '../file-size.js';
import { readBelow } from '../regular-file.js';
import { stateFileName } from '../state/state-file.js';
import { runGit } from './git-revision.js';

/** Outputs of a site that contain private keys, as they are named in plain text. */
const secretOutputs = [
  stateFileName,
  'bootstrap-in-place-for-live-iso.ign',
  'aio.ign',
  'worker.ign',
  'auth/kubeconfig',
  'auth/kubeadmin-password',
];

/** Patterns of these outputs in the folder of a site. */
const patterns = [
  { names: /^auth\//, pattern: 'auth/' },
  { names: /\.ign$/, pattern: '*.ign' },
  { names: /^\.sno-install/, pattern: stateFileName },
];

/**
 * Warns of outputs with private keys that lie in a Git work tree, are not encrypted, and that Git does not ignore. `sites` are folders below
 * `folder`; if they are in other folders than that of the configs, the whole folder can be ignored. Nothing without Git. Warnings:
 * dir/not-ignored.
 */
export function unignoredSecrets(folder: string, sites?: readonly string[]): readonly Problem[] {
  const found = (sites ?? ['.']).flatMap((site) => plainSecrets(folder, site));
  if (found.length === 0) return [];
  const place = runGit(folder, ['rev-parse', '--show-toplevel', '--show-prefix']);
  if (place.fault !== undefined) return [];
  const [top = '', prefix = ''] = place.out.toString('utf8').split('\n');
  const listed = (args: readonly string[], input?: string): ReadonlySet<string> =>
    new Set(runGit(folder, args, input).out.toString('utf8').split('\0'));
  const ignored = listed(['check-ignore', '--stdin', '-z'], found.map((path) => `${path}\0`).join(''));
  const open = found.filter((path) => !ignored.has(path));
  const [first, ...others] = open;
  if (first === undefined) return [];
  const names = patterns.filter(({ names: each }) => open.some((path) => each.test(path)));
  const lines = (sites === undefined ? names.map(({ pattern }) => pattern) : ['']).map(
    (pattern) => `\`/${escaped(prefix)}${pattern}\``,
  );
  const tracked = listed(['ls-files', '-z']);
  const isTracked = open.some((path) => tracked.has(path));
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return [
    problem(
      'dir/not-ignored',
      `${posix.join(prefix, first)}${more} contain private keys, and Git does not ignore them`,
      {
        at: { file: join(folder, first) },
        hint:
          `append ${lines.join(' and ')} to ${join(top, '.gitignore')}, or encrypt the outputs (encryptOutputs)` +
          (isTracked
            ? `; then run \`git -C ${shellWord(folder)} rm -r --cached .\`: Git already has some of them`
            : ''),
      },
    ),
  ];
}

/** Existing outputs of a site that are not encrypted, relative to the folder. */
function plainSecrets(folder: string, site: string): readonly string[] {
  return secretOutputs
    .map((name) => posix.join(site, name))
    .filter((path) => fileSize(join(folder, path)) !== undefined)
    .filter((path) => !path.endsWith(stateFileName) || isPlain(folder, path));
}

/** An encrypted state has the name of a plain one. */
function isPlain(folder: string, path: string): boolean {
  const read = readBelow(folder, path);
  return read.kind === 'file' && !isAge(read.bytes);
}

/** Escapes a path for .gitignore. Source: gitignore(5), PATTERN FORMAT */
function escaped(path: string): string {
  return path.replaceAll(/[\\*?[]/g, '\\$&');
}
