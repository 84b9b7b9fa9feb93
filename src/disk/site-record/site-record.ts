import { lstatSync, utimesSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';

import { secretFile, type OutputFile } from '../../core/output-file.js';
import type { Problem } from '../../core/problem.js';
import { parseJson } from '../../formats/json.js';
import { sha256 } from '../../formats/sha256.js';
import { isModeIn } from '../file-systems/modes.js';
import { readBelow } from '../regular-file.js';
import { insidePath, warningShape } from '../state/last-run.js';
import { stateFileName } from '../state/state-file.js';
import { count, list, members, text, time } from '../state/state-shape.js';

/**
 * What lies beside the outputs of a site and tells the next run, without opening its state, whether there is something to do. It holds no
 * secret, and of what a secret may be guessed from a keyed hash alone.
 */
export interface SiteRecord {
  /** The name of the site; absent in records of earlier versions. */
  readonly site?: string;
  /** Which build of the program made the site. */
  readonly program: string;
  /** What the run asked of its inputs. */
  readonly questions: readonly string[];
  /** HMAC-SHA256 (hex) of the answers, and of what else the run was told. */
  readonly fingerprint: string;
  /** RFC 3339: when its certificates are issued. */
  readonly issued: string;
  readonly bootableFrom?: string;
  readonly bootableUntil?: string;
  readonly warnings: readonly Problem[];
  /** SHA-256 (hex) of the state file. */
  readonly state: string;
  readonly outputs: readonly RecordedOutput[];
}

/** An output as it was written; without a hash it is of somebody else, who wrote the same. */
export interface RecordedOutput {
  readonly path: string;
  readonly mode: number;
  readonly sha256: string;
}

/** The name of a record in the folder of its site. */
export const recordName = '.sno-install-site.json';

/** The form of this version; a record of another one tells nothing. */
const version = 1;

const shape = members(
  {
    version: count,
    program: text(),
    questions: list(text()),
    fingerprint: text(),
    issued: time,
    warnings: list(warningShape),
    state: text(),
    outputs: list(members({ path: insidePath, mode: count, sha256: text() })),
  },
  { site: text(), bootableFrom: time, bootableUntil: time },
);

/** A record as a file. */
export function recordFile(record: SiteRecord): OutputFile {
  return secretFile(recordName, `${JSON.stringify({ version, ...record })}\n`);
}

/** The record of the site in a folder; undefined where there is none that can be used. */
export function readSiteRecord(dir: string): SiteRecord | undefined {
  const read = readBelow(dir, recordName);
  return read.kind === 'file' ? parseSiteRecord(read.bytes) : undefined;
}

/** A record by its bytes; undefined where it cannot be used. */
export function parseSiteRecord(bytes: Uint8Array): SiteRecord | undefined {
  const value = parseJson(Buffer.from(bytes).toString('utf8'));
  return isRecord(value) && value.version === version ? value : undefined;
}

function isRecord(value: unknown): value is SiteRecord & { readonly version: number } {
  return shape(value, '') === undefined;
}

/** What of a site is not as its record says; undefined where all of it is. */
export type OddOutput = { readonly path: string; readonly is: 'gone' | 'changed' };

/**
 * Looks whether outputs and state file are as they were written. The record is put in place behind them, so what was touched since was
 * touched later (inode(7), st_ctim, which nobody can set): only of such files the bytes are read, as in a copy of the folder. A file
 * keeps its time when its folder is renamed, but that folder does not: below one that is later, or where a link leads, files are read,
 * too. Where all of them are right, `mayRenew` lets the record be touched, so that they need not be read again.
 */
export function oddOutput(
  dir: string,
  { outputs, state }: SiteRecord,
  { mayRenew }: { readonly mayRenew: boolean },
): OddOutput | undefined {
  const record = statOf(join(dir, recordName));
  const isDoubtful = (found: BigIntStats | undefined): boolean =>
    found === undefined ||
    record === undefined ||
    found.isSymbolicLink() ||
    found.ctimeNs > record.ctimeNs ||
    !hasChangeTime(record);
  // The time of the site's own folder says nothing: each lock of it is a change.
  const isElsewhere = statOf(dir)?.isSymbolicLink() ?? true;
  const doubtful = doubtfulFolders(dir, outputs, isDoubtful);
  const files = [...outputs, { path: stateFileName, mode: 0o600, sha256: state }];
  let isLater = false;
  for (const file of files) {
    const found = statOf(join(dir, file.path));
    if (found === undefined) return { path: file.path, is: 'gone' };
    if (!isElsewhere && !isDoubtful(found) && !foldersOf(file.path).some((each) => doubtful.has(each)))
      continue;
    isLater = true;
    if (!isAsRecorded(dir, file)) return { path: file.path, is: 'changed' };
  }
  if (isLater && mayRenew) touch(join(dir, recordName));
  return undefined;
}

/** Folders of outputs that may not be those that these were written into. */
function doubtfulFolders(
  dir: string,
  outputs: readonly RecordedOutput[],
  isDoubtful: (found: BigIntStats | undefined) => boolean,
): ReadonlySet<string> {
  const folders = new Set(outputs.flatMap(({ path }) => foldersOf(path)));
  return new Set([...folders].filter((each) => isDoubtful(statOf(join(dir, each)))));
}

/** The folders that a file lies in, below that of the site: `a` and `a/b` of `a/b/c`. */
function foldersOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function isAsRecorded(dir: string, { path, mode, sha256: hash }: RecordedOutput): boolean {
  if (hash === '') return true;
  const read = readBelow(dir, path);
  return read.kind === 'file' && sha256(read.bytes) === hash && isModeIn(dir, read.stats.mode, mode);
}

/** FAT and exFAT show the time of the bytes instead, which every program can set. A record is renamed after its bytes were written. */
function hasChangeTime({ ctimeNs, mtimeNs }: BigIntStats): boolean {
  return ctimeNs !== mtimeNs;
}

/** What stands at a path, a link as such. */
function statOf(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** A record that cannot be touched costs time, and nothing else. */
function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // The files are read again the next time.
  }
}
