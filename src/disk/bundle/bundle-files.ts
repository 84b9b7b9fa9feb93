import { accessSync, closeSync, constants, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';

import {
  bundleLimits,
  bundleOf,
  bundlesWithin,
  isLogBundle,
  keptBytesOf,
  type Bundle,
  type BundleFile,
  type BundleLimits,
} from '../../analysis/bundle.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { shellWord } from '../../formats/shell-word.js';
import { readTarGz, textOf } from '../../formats/tar.js';
import { entriesBelow } from '../entries-below.js';
import { reasonOf } from '../system-error.js';

/**
 * Reads the log bundle at a path: a .tar.gz file, or the folder it was unpacked to. Links are not followed. Writes nothing.
 * Problems: support/bundle-unreadable, support/bundle-too-large, support/not-a-bundle.
 */
export async function readBundle(path: string, limits: BundleLimits = bundleLimits): Promise<Result<Bundle>> {
  let isFolder: boolean;
  try {
    const stats = statSync(path);
    isFolder = stats.isDirectory();
    if (!isFolder && !stats.isFile()) return unreadable(path, 'it is not a regular file');
    accessSync(path, constants.R_OK);
  } catch (error) {
    return unreadable(path, reasonOf(error));
  }
  if (!isFolder && /\.(?:log|json|txt)$/.test(path)) return notOneFile(path);
  const bundle = isFolder ? readFolder(path, limits) : await readArchive(path, limits);
  if (!bundle.ok || isLogBundle(bundle.value)) return bundle;
  const several = bundlesWithin(bundle.value);
  if (several.length > 0) {
    const text = `${path} contains ${several.length} log bundles`;
    const hint = `name one of them, such as ${shellWord(join(path, several[0] ?? ''))}`;
    return failure(problem('support/not-a-bundle', text, { hint }));
  }
  const message = `${path} contains neither service records nor journals, so it is not a log bundle`;
  return failure(
    problem('support/not-a-bundle', message, { hint: 'name the unmodified bundle written by `gather`' }),
  );
}

/** The journal of one service has no records, which name the failed stage. */
function notOneFile(path: string): Result<never> {
  const message = `${path} is a single file of a log bundle`;
  const hint =
    'name the whole bundle: the .tar.gz that `gather` wrote, or the folder that it was unpacked to';
  return failure(problem('support/not-a-bundle', message, { hint }));
}

async function readArchive(path: string, limits: BundleLimits): Promise<Result<Bundle>> {
  const source = createReadStream(path);
  const { files, otherEntries, isCut, end } = await readTarGz(source, { ...limits, keptBytesOf });
  if (end === 'too-large' && !files.some(({ text }) => text !== undefined)) return tooLarge(path, limits);
  if (end === 'damaged' && files.length === 0) return unreadable(path, whyEmpty(path));
  return success({
    ...bundleOf(basename(path), files, [
      ...(end === 'too-large' ? [`the bundle ${beyond(limits)}; only the part before that was read`] : []),
      ...(isCut ? [cutNote(limits)] : []),
      ...(end === 'damaged' ? ['the archive is cut off or damaged; only the part before that was read'] : []),
      ...(otherEntries === 0 ? [] : [`${otherEntries} links and special files were skipped`]),
    ]),
    isArchive: true,
  });
}

function beyond({ totalBytes, entries }: BundleLimits): string {
  return `unpacks to more than ${totalBytes / 1024 ** 3} GiB or ${entries} files`;
}

function cutNote({ keptBytes }: BundleLimits): string {
  return `records and journals exceed ${keptBytes / 1024 ** 2} MiB in total; the rest was not read`;
}

function whyEmpty(path: string): string {
  try {
    return statSync(path).size === 0 ? 'it is empty' : 'it is not a .tar.gz file, or its start is damaged';
  } catch (error) {
    return reasonOf(error);
  }
}

function readFolder(folder: string, limits: BundleLimits): Result<Bundle> {
  try {
    const plain = plainFiles(folder, limits.entries);
    if (plain === undefined) return tooLarge(folder, limits);
    let left = limits.keptBytes;
    const files = plain.toSorted().map((path) => {
      const file = readOne(folder, path, left);
      left -= Math.min(left, file.text?.length ?? 0);
      return file;
    });
    return success(bundleOf(basename(folder), files, left === 0 ? [cutNote(limits)] : []));
  } catch (error) {
    return unreadable(folder, reasonOf(error));
  }
}

/** The regular files below a folder; undefined above `maxEntries`. Bundles are untrusted: their links may lead anywhere. */
function plainFiles(folder: string, maxEntries: number): readonly string[] | undefined {
  const files: string[] = [];
  let entries = 0;
  for (const { path, entry } of entriesBelow(folder)) {
    entries += 1;
    if (entries > maxEntries) return undefined;
    if (entry.isFile()) files.push(join(folder, path));
  }
  return files;
}

function readOne(folder: string, file: string, left: number): BundleFile {
  const path = relative(folder, file).split(sep).join('/');
  const sizeBytes = statSync(file).size;
  const kept = Math.min(keptBytesOf(path), left);
  return { path, sizeBytes, ...(kept > 0 && { text: textOf(endOf(file, sizeBytes, kept + 1), kept) }) };
}

/** Reads only the last bytes of a file. */
function endOf(path: string, sizeBytes: number, bytes: number): Uint8Array {
  const end = Buffer.alloc(Math.min(sizeBytes, bytes));
  const handle = openSync(path, 'r');
  try {
    return end.subarray(0, readSync(handle, end, 0, end.length, sizeBytes - end.length));
  } finally {
    closeSync(handle);
  }
}

function unreadable(path: string, reason: string): Result<never> {
  return failure(
    problem('support/bundle-unreadable', `the log bundle ${path} cannot be read: ${reason}`, {
      hint: 'copy it again, or create one with `sno-install gather --bootstrap HOST`',
    }),
  );
}

function tooLarge(path: string, limits: BundleLimits): Result<never> {
  const message = `the log bundle ${path} ${beyond(limits)}`;
  return failure(problem('support/bundle-too-large', message, { hint: 'unpack it and analyze the folder' }));
}
