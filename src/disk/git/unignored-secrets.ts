import { basename, dirname, join, posix, resolve } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { isAge } from '../../formats/age.js';
import { shellWord } from '../../formats/shell-word.js';
import { fileSize } from '../file-size.js';
import { readBelow } from '../regular-file.js';
import { stateFileName } from '../state/state-file.js';
import { runGit } from './git-revision.js';

/** Outputs and media of a site that contain private keys, as they are named in plain text. */
const secretOutputs = [
  stateFileName,
  'bootstrap-in-place-for-live-iso.ign',
  'aio.ign',
  'worker.ign',
  'auth/kubeconfig',
  'auth/kubeadmin-password',
  'single-node.iso',
  'pxe/single-node-initrd.img',
];

/** Patterns of these outputs in the folder of a site. */
const patterns = [
  { names: /^auth\//, pattern: 'auth/' },
  { names: /\.ign$/, pattern: '*.ign' },
  { names: /^\.sno-install/, pattern: stateFileName },
  { names: /\.iso$/, pattern: '*.iso' },
  { names: /^pxe\//, pattern: 'pxe/' },
];

/** Files to look at. */
export interface SecretPlaces {
  /**
   * Folders of sites below `folder`; if they are in other folders than that of the configs, the whole folder can be ignored. Default:
   * the folder itself.
   */
  readonly sites?: readonly string[];
  /** Paths of media that can be in other folders. */
  readonly media?: readonly string[];
}

/** Files of one folder, relative to it, with private keys in plain text. */
interface SecretFiles {
  readonly folder: string;
  readonly files: readonly string[];
  /** Everything in `outputs` is generated. */
  readonly kind: 'site' | 'outputs' | 'medium';
}

/**
 * Warns of outputs and media with private keys that lie in a Git work tree, are not encrypted, and that Git does not ignore: one warning
 * for each work tree. Nothing without Git. Warnings: dir/not-ignored.
 */
export function unignoredSecrets(
  folder: string,
  { sites, media = [] }: SecretPlaces = {},
): readonly Problem[] {
  const ofSites = (sites ?? ['.']).flatMap((site) => plainSecrets(folder, site));
  const known = new Set(ofSites.map((path) => resolve(folder, path)));
  const groups: readonly SecretFiles[] = [
    { folder, files: ofSites, kind: sites === undefined ? 'site' : 'outputs' },
    ...media
      .filter((path) => !known.has(resolve(path)) && fileSize(path) !== undefined)
      .map((path) => ({ folder: dirname(path), files: [basename(path)], kind: 'medium' as const })),
  ];
  const open = groups.flatMap((group) => openFiles(group) ?? []);
  const tops = [...new Set(open.map(({ top }) => top))];
  return tops.map((top) =>
    notIgnored(
      top,
      open.filter((each) => each.top === top),
    ),
  );
}

/** The files of a folder that Git does not ignore. */
interface OpenFiles {
  readonly folder: string;
  readonly files: readonly string[];
  /** Top folder of the work tree. */
  readonly top: string;
  /** Path of the folder in the work tree, with a `/` at its end, or empty. */
  readonly prefix: string;
  /** Lines for .gitignore. */
  readonly lines: readonly string[];
  /** Command that removes the files from the index, if Git already has one. */
  readonly untrack?: string;
  readonly hasMedia: boolean;
}

function openFiles({ folder, files, kind }: SecretFiles): OpenFiles | undefined {
  if (files.length === 0) return undefined;
  const place = runGit(folder, ['rev-parse', '--show-toplevel', '--show-prefix']);
  if (place.fault !== undefined) return undefined;
  const [top = '', prefix = ''] = place.out.toString('utf8').split('\n');
  const listed = (args: readonly string[], input?: string): ReadonlySet<string> =>
    new Set(runGit(folder, args, input).out.toString('utf8').split('\0'));
  const ignored = listed(['check-ignore', '--stdin', '-z'], files.map((path) => `${path}\0`).join(''));
  const open = files.filter((path) => !ignored.has(path));
  if (open.length === 0) return undefined;
  const tracked = listed(['ls-files', '-z']);
  const added = open.filter((path) => tracked.has(path));
  const removed = kind === 'outputs' ? '-r --cached .' : `--cached ${added.map(shellWord).join(' ')}`;
  return {
    ...{ folder, files: open, top, prefix },
    lines: [...new Set(open.map((file) => patternFor(file, kind)))].map(
      (pattern) => `\`/${escaped(prefix)}${pattern}\``,
    ),
    ...(added.length > 0 && { untrack: `\`git -C ${shellWord(folder)} rm ${removed}\`` }),
    hasMedia: kind === 'medium' || open.some(isMediumOfSite),
  };
}

/** One warning with the lines for a work tree. */
function notIgnored(top: string, open: readonly OpenFiles[]): Problem {
  const named = open.flatMap(({ folder, prefix, files }) =>
    files.map((file) => ({ shown: posix.join(prefix, file), at: join(folder, file) })),
  );
  const [first = { shown: '', at: '' }] = named;
  const more = named.length === 1 ? '' : ` and ${named.length - 1} more`;
  const lines = [...new Set(open.flatMap((each) => each.lines))].join(' and ');
  // Media are never encrypted.
  const otherwise = open.some(({ hasMedia }) => hasMedia) ? '' : ', or encrypt the outputs (encryptOutputs)';
  const untrack = open.flatMap((each) => each.untrack ?? []).join(' and ');
  const then = untrack === '' ? '' : `; then run ${untrack}: Git already has some of them`;
  return problem(
    'dir/not-ignored',
    `${first.shown}${more} contain private keys, and Git does not ignore them`,
    {
      at: { file: first.at },
      hint: `append ${lines} to ${join(top, '.gitignore')}${otherwise}${then}`,
    },
  );
}

/** The part of a line for .gitignore after the folder. */
function patternFor(file: string, kind: SecretFiles['kind']): string {
  if (kind === 'outputs') return '';
  return patterns.find(({ names }) => names.test(file))?.pattern ?? escaped(file);
}

function isMediumOfSite(file: string): boolean {
  return /(?:^|\/)(?:single-node\.iso|pxe\/single-node-initrd\.img)$/.test(file);
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
