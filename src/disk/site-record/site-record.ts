import { lstatSync, utimesSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';

import { secretFile, type OutputFile } from '../../core/output-file.js';
import type { Problem } from '../../core/problem.js';
import { parseJson } from '../../formats/json.js';
import { sha256 } from '../../formats/sha256.js';
import { isModeIn } from '../file-systems/modes.js';
import { readInput } from '../read-inputs.js';
import { readBelow } from '../regular-file.js';
import { systemErrorCode } from '../system-error.js';
import { readTrusted, untrustedRecords } from '../trust.js';
import { insidePath, warningShape } from '../state/last-run.js';
import { stateFileName } from '../state/state-file.js';
import { countShape, listShape, objectShape, textShape, timeShape } from '../state/state-shape.js';

/**
 * File next to the outputs of a site from which the next run decides, without decrypting the state, whether there is work to do.
 * Contains no secrets. Values from which a secret could be guessed appear only as keyed hashes.
 */
export interface SiteRecord {
  /** Name of the site; absent in records of earlier versions. */
  readonly site?: string;
  /** Build ID of the program. */
  readonly program: string;
  /** Requests of the run to its inputs; see `InputRecord`. */
  readonly questions: readonly string[];
  /** HMAC-SHA256 (hex) of the inputs read and of the other parameters of the run. */
  readonly fingerprint: string;
  /** The same with marks in place of secrets, for commands that do not fetch them. Absent without secrets. */
  readonly markedFingerprint?: string;
  /** Issue time of the certificates, RFC 3339. */
  readonly issued: string;
  readonly bootableFrom?: string;
  readonly bootableUntil?: string;
  readonly warnings: readonly Problem[];
  /** SHA-256 (hex) of the state file. */
  readonly state: string;
  readonly outputs: readonly RecordedOutput[];
}

/** An output as written. Without a hash, the file existed already with the same bytes and belongs to the user. */
export interface RecordedOutput {
  readonly path: string;
  readonly mode: number;
  readonly sha256: string;
}

/** File name of a record in the folder of its site. */
export const recordName = '.sno-install-site.json';

/** Format version; records of other versions are ignored. */
const version = 1;

const shape = objectShape(
  {
    version: countShape,
    program: textShape(),
    questions: listShape(textShape()),
    fingerprint: textShape(),
    issued: timeShape,
    warnings: listShape(warningShape),
    state: textShape(),
    outputs: listShape(objectShape({ path: insidePath, mode: countShape, sha256: textShape() })),
  },
  { site: textShape(), markedFingerprint: textShape(), bootableFrom: timeShape, bootableUntil: timeShape },
);

export function recordFile(record: SiteRecord): OutputFile {
  return secretFile(recordName, `${JSON.stringify({ version, ...record })}\n`);
}

/** Undefined if the folder has no usable record. */
export function readSiteRecord(dir: string): SiteRecord | undefined {
  const read = readTrusted(dir, recordName);
  return read.kind === 'file' ? parseSiteRecord(read.bytes) : undefined;
}

/** Whether other users can change the record, which is then not used. */
export function isRecordUntrusted(dir: string): boolean {
  return untrustedRecords(dir, [recordName]).length > 0;
}

/** Whether a folder contains the outputs of a site whose inputs are those of a fleet. */
export function isFleetSite(dir: string): boolean {
  const read = readBelow(dir, recordName);
  const isSite = read.kind === 'file' && parseSiteRecord(read.bytes) !== undefined;
  return isSite && readInput(join(dir, 'install-config.yaml')).kind === 'absent';
}

/** Undefined if the record is not usable. */
export function parseSiteRecord(bytes: Uint8Array): SiteRecord | undefined {
  const value = parseJson(Buffer.from(bytes).toString('utf8'));
  return isRecord(value) && value.version === version ? value : undefined;
}

function isRecord(value: unknown): value is SiteRecord & { readonly version: number } {
  return shape(value, '') === undefined;
}

/** First file of a site that differs from its record. */
export type ChangedFile = { readonly path: string; readonly is: 'gone' | 'changed' };

/**
 * Checks that the outputs and the state file are unchanged. The record is written after them, so a file with a later change time
 * (inode(7), st_ctim, which programs cannot set) was touched since. Only such files are read, for example in a copy of the folder.
 * Renaming a folder does not change the times of its files, only its own. Files below a folder with a later time, or behind a link,
 * are therefore read too. If all files are unchanged and `mayRenew` is set, touches the record so that they are not read again.
 */
export function findChangedFile(
  dir: string,
  { outputs, state }: SiteRecord,
  { mayRenew }: { readonly mayRenew: boolean },
): ChangedFile | undefined {
  const record = statOf(join(dir, recordName));
  const isDoubtful = (found: BigIntStats | undefined): boolean =>
    found === undefined ||
    record === undefined ||
    found.isSymbolicLink() ||
    found.ctimeNs > record.ctimeNs ||
    !hasChangeTime(record);
  // The time of the site's own folder is useless: each lock changes it.
  const isElsewhere = statOf(dir)?.isSymbolicLink() ?? true;
  const doubtful = possiblyReplacedFolders(dir, outputs, isDoubtful);
  const files = [...outputs, { path: stateFileName, mode: 0o600, sha256: state }];
  let isLater = false;
  for (const file of files) {
    const found = statOf(join(dir, file.path));
    if (found === undefined) return { path: file.path, is: 'gone' };
    if (!isElsewhere && !isDoubtful(found) && !foldersOf(file.path).some((each) => doubtful.has(each)))
      continue;
    isLater = true;
    if (!fileMatchesRecord(dir, file)) return { path: file.path, is: 'changed' };
  }
  if (isLater && mayRenew) touch(join(dir, recordName));
  return undefined;
}

/** Output folders that may have been replaced since the outputs were written. */
function possiblyReplacedFolders(
  dir: string,
  outputs: readonly RecordedOutput[],
  isDoubtful: (found: BigIntStats | undefined) => boolean,
): ReadonlySet<string> {
  const folders = new Set(outputs.flatMap(({ path }) => foldersOf(path)));
  return new Set([...folders].filter((each) => isDoubtful(statOf(join(dir, each)))));
}

/** Parent folders of a file, relative to the site's folder: `a` and `a/b` for `a/b/c`. */
function foldersOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function fileMatchesRecord(dir: string, { path, mode, sha256: hash }: RecordedOutput): boolean {
  if (hash === '') return true;
  const read = readBelow(dir, path);
  return read.kind === 'file' && sha256(read.bytes) === hash && isModeIn(dir, read.stats.mode, mode);
}

/** FAT and exFAT return the modification time instead, which any program can set. A record is renamed after it was written. */
function hasChangeTime({ ctimeNs, mtimeNs }: BigIntStats): boolean {
  return ctimeNs !== mtimeNs;
}

/** Does not follow links. Undefined also below a file in the place of a folder (ENOTDIR). */
function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Updates the times of the record. */
function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // The next run reads the files again, which only takes longer.
  }
}
