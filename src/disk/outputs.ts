import { sha256 } from '../formats/sha256.js';
import { statSync } from 'node:fs';
import { join } from 'node:path';

import type { OutputFile } from '../core/output-file.js';
import { problem, type Problem } from '../core/problem.js';
import { isModeIn } from './file-systems/modes.js';
import { readBelow } from './regular-file.js';

/** What a run changed, or would change, at one path. */
export interface OutputChange {
  readonly path: string;
  readonly change: 'written' | 'unchanged' | 'removed';
  readonly bytes: number;
  readonly mode: number;
}

/** Changes that bring a directory to the wanted outputs; paths are relative to it. */
export interface OutputPlan {
  readonly writes: readonly OutputFile[];
  readonly removals: readonly string[];
  readonly changes: readonly OutputChange[];
  /** SHA-256 (hex) of each file that we wrote, by path, after this plan. */
  readonly written: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
}

/** Outputs of earlier runs. */
export interface EarlierRuns {
  readonly written: Readonly<Record<string, string>>;
  /** Files and folders whose earlier outputs are removed when no longer produced. */
  readonly owned: readonly string[];
  /** Names of the same outputs in another form, encrypted or plain. Ours are removed. */
  readonly replaced?: readonly string[];
}

/**
 * Compares outputs with the directory. Never overwrites a file that the user created or changed.
 * Problems: dir/output-edited.
 */
export function planOutputs(dir: string, files: readonly OutputFile[], earlier: EarlierRuns): OutputPlan {
  const plans = files.map((file) => planFile(dir, file, earlier.written[file.path]));
  const displaced = replacedOutputs(dir, earlier);
  const removals = [...obsoleteOutputs(dir, files, earlier), ...displaced.removals];
  const written = { ...earlier.written };
  for (const { file, change, hash } of plans) if (change === 'written') written[file.path] = hash;
  for (const path of [...removals, ...(earlier.replaced ?? [])]) Reflect.deleteProperty(written, path);
  return {
    writes: plans.filter(({ change }) => change === 'written').map(({ file }) => file),
    removals,
    changes: [
      ...plans.map(({ file, change, bytes }) => ({ path: file.path, change, bytes, mode: file.mode })),
      ...removals.map((path) => ({ path, change: 'removed' as const, bytes: 0, mode: 0 })),
    ],
    written,
    problems: [...plans.flatMap(({ found }) => found), ...displaced.problems],
  };
}

/** Selects the files that are still on disk as an earlier run wrote them, by path with their hashes. */
export function unmodifiedOutputs(
  dir: string,
  written: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const there = Object.entries(written).filter(([path, hash]) => hashOnDisk(dir, path) === hash);
  return Object.fromEntries(there);
}

/** Whether every output is on disk as we wrote it, bytes and mode. */
export function areUnmodified(
  dir: string,
  outputs: readonly { readonly path: string; readonly mode: number }[],
  written: Readonly<Record<string, string>>,
): boolean {
  return outputs.every(({ path, mode }) => {
    const hash = hashOnDisk(dir, path);
    return hash !== undefined && hash === written[path] && hasMode(dir, path, mode);
  });
}

interface FilePlan {
  readonly file: OutputFile;
  readonly change: 'written' | 'unchanged';
  readonly bytes: number;
  readonly hash: string;
  readonly found: readonly Problem[];
}

function planFile(dir: string, file: OutputFile, written: string | undefined): FilePlan {
  const hash = sha256(file.contents);
  const bytes = Buffer.byteLength(file.contents);
  const read = readBelow(dir, file.path);
  if (read.kind === 'unreadable')
    return { file, change: 'written', bytes, hash, found: [unreadableOutput(file.path, read.reason)] };
  const onDisk = read.kind === 'file' ? sha256(read.bytes) : undefined;
  // A file with these bytes that we did not write belongs to the user, whatever its mode.
  const isRight = onDisk === hash && (written !== hash || hasMode(dir, file.path, file.mode));
  const isOthers = onDisk !== undefined && onDisk !== hash && onDisk !== written;
  const found = isOthers ? [editedOutput(file.path, written !== undefined)] : [];
  return { file, change: isRight ? 'unchanged' : 'written', bytes, hash, found };
}

function editedOutput(path: string, isOurs: boolean): Problem {
  return inTheWay(
    path,
    isOurs
      ? `${path} was edited after it was written; the change would be lost`
      : `${path} already exists and was not written by sno-install`,
  );
}

function unreadableOutput(path: string, reason: string): Problem {
  return inTheWay(path, `cannot compare ${path} with the output to write there: ${reason}`);
}

function inTheWay(path: string, message: string): Problem {
  const hint = `move ${path} away and run the command again`;
  return problem('dir/output-edited', message, { at: { file: path }, hint });
}

function obsoleteOutputs(
  dir: string,
  files: readonly OutputFile[],
  { written, owned }: EarlierRuns,
): readonly string[] {
  const made = new Set(files.map((file) => file.path));
  const candidates = Object.keys(written).filter(
    (path) => !made.has(path) && owned.some((owner) => path === owner || path.startsWith(`${owner}/`)),
  );
  return candidates.filter((path) => hashOnDisk(dir, path) === written[path]).sort();
}

/** Outputs we wrote in another form, split by whether the user has changed them. */
function replacedOutputs(
  dir: string,
  { written, replaced = [] }: EarlierRuns,
): Pick<OutputPlan, 'removals' | 'problems'> {
  const there = replaced.flatMap((path) => {
    const hash = written[path] === undefined ? undefined : hashOnDisk(dir, path);
    return hash === undefined ? [] : [{ path, isOurs: hash === written[path] }];
  });
  return {
    removals: there.flatMap(({ path, isOurs }) => (isOurs ? [path] : [])),
    problems: there.flatMap(({ path, isOurs }) => (isOurs ? [] : [editedOutput(path, true)])),
  };
}

/** Hash of the file at a path; `unreadable` for anything that is not a readable file. */
function hashOnDisk(dir: string, path: string): string | undefined {
  const read = readBelow(dir, path);
  if (read.kind === 'absent') return undefined;
  return read.kind === 'file' ? sha256(read.bytes) : 'unreadable';
}

/** Probes only the directory, not its subfolders, because the next run cleans up the probe file of a killed run only there. */
function hasMode(dir: string, path: string, mode: number): boolean {
  return isModeIn(dir, statSync(join(dir, path)).mode, mode);
}
