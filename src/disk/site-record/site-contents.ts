import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { OutputFile } from '../../core/output-file.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { isAge } from '../../formats/age.js';
import { sha256 } from '../../formats/sha256.js';
import { commit } from '../commit.js';
import { openDirectory } from '../directory.js';
import { reasonOf } from '../system-error.js';
import { planOutputs } from '../outputs.js';
import { readBelow } from '../regular-file.js';
import { isSealedName } from '../state/sealed-outputs.js';
import { stateFileName } from '../state/state-file.js';
import { readSiteRecord, recordFile, recordName, type SiteRecord } from './site-record.js';

/** All files of a site in its folder. */
export interface SiteContents {
  readonly record: SiteRecord;
  /** In this order: record, state, outputs. */
  readonly files: readonly SiteContent[];
}

export interface SiteContent extends OutputFile {
  readonly contents: Uint8Array;
}

/**
 * Reads the site in a folder and checks every file against its record. Problems: store/plain for a secret that is not encrypted,
 * store/damaged if the folder was changed since.
 */
export function readSiteContents(dir: string): Result<SiteContents> {
  const record = readSiteRecord(dir);
  if (record === undefined) return changed('it has no record');
  const state = { path: stateFileName, mode: 0o600, sha256: record.state };
  const files: SiteContent[] = [];
  for (const { path, mode, sha256: hash } of [state, ...record.outputs]) {
    const read = readBelow(dir, path);
    if (read.kind !== 'file' || sha256(read.bytes) !== hash)
      return changed(`${path} was changed after it was written`);
    files.push({ path, mode, contents: read.bytes });
  }
  const [plain] = files.filter(isPlain);
  if (plain !== undefined) return inPlainText(plain.path);
  const { path, mode, contents } = recordFile(record);
  return success({ record, files: [{ path, mode, contents: Buffer.from(contents) }, ...files] });
}

/** A file that only its owner may read counts as a secret. */
function isPlain({ path, mode, contents }: SiteContent): boolean {
  if (path !== stateFileName && !isSealedName(path)) return (mode & 0o077) === 0;
  return !isAge(contents);
}

function changed(reason: string): Result<never> {
  return failure(problem('store/damaged', `the written files were removed: ${reason}`));
}

function inPlainText(path: string): Result<never> {
  const hint =
    'set `recipients` and `encryptOutputs: true` in fleet.yaml, and remove `state` from sno-config.yaml';
  return failure(problem('store/plain', `${path} of this site is not encrypted`, { hint }));
}

/** Whether the files are exactly those in the record, byte for byte. */
export function filesMatchRecord(record: SiteRecord, files: readonly SiteContent[]): boolean {
  const named = new Map([
    [stateFileName, { mode: 0o600, sha256: record.state }],
    ...record.outputs.map(({ path, ...output }) => [path, output] as const),
  ]);
  const given = files.filter(({ path }) => path !== recordName);
  return (
    given.length === named.size &&
    new Set(given.map(({ path }) => path)).size === named.size &&
    given.every(({ path, mode, contents }) => {
      const known = named.get(path);
      return known !== undefined && known.mode === mode && known.sha256 === sha256(contents);
    })
  );
}

/**
 * Writes a site to a folder, replacing the files listed in `before`. If any other file there has different bytes, nothing is written.
 * Problems: dir/output-edited, and those of `openDirectory` and `commit`.
 */
export async function writeSite(
  dir: string,
  { files }: SiteContents,
  {
    command,
    within = dir,
    before,
  }: {
    readonly command: string;
    /** Folder that the site's folder must not lead out of. */
    readonly within?: string;
    readonly before?: SiteRecord | undefined;
  },
): Promise<Result<void>> {
  const lock = await openDirectory(dir, command, within);
  if (!lock.ok) return lock;
  const paths = new Set(files.map(({ path }) => path));
  const known = (before?.outputs ?? []).map(({ path }) => path);
  const own = new Set(before === undefined ? [] : [recordName, stateFileName, ...known]);
  const removals = known.filter((path) => !paths.has(path));
  try {
    const unexpected = files.filter(({ path }) => !own.has(path));
    const { problems } = planOutputs(dir, unexpected, { written: {}, owned: [] });
    if (problems.length > 0) return failure(...problems);
    // Write the record after the files that it lists.
    const [record, ...others] = files;
    return commit(dir, { writes: record ? [...others, record] : others, removals });
  } finally {
    lock.value.release();
  }
}

/** Creates a temporary folder in TMPDIR for sites on their way into a store, for its owner only. Problems: dir/not-writable. */
export function temporarySiteFolder(): Result<{ readonly path: string; readonly remove: () => void }> {
  try {
    const path = mkdtempSync(join(tmpdir(), 'sno-install-fleet-'));
    return success({
      path,
      remove: () => {
        removeSiteFolder(path);
      },
    });
  } catch (error) {
    const message = `cannot create a folder in ${tmpdir()}: ${reasonOf(error)}`;
    return failure(problem('dir/not-writable', message, { hint: 'set TMPDIR to another folder' }));
  }
}

/** Removes the folder of a site that is stored elsewhere or no longer needed. */
export function removeSiteFolder(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
}
