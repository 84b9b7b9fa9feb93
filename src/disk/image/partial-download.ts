import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';

import { isRecord } from '../../core/is-record.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { parseJson } from '../../formats/json.js';
import { attemptWrite, notWritable } from '../attempt-write.js';
import { digestFile } from '../file-digest.js';
import { removeFile } from '../file-systems/rename-over.js';
import { renameNoReplace } from '../file-systems/rename-no-replace.js';
import { takeLock, type Lock } from '../lock/lock.js';
import { readOwnFile } from '../regular-file.js';
import { removeEmpty } from '../remove-empty.js';
import { replaceFile } from '../replace-file.js';

/** A download in progress. It is kept when the process ends, and continued by the next one. */
export interface PartialDownload {
  /** Number of bytes already written. */
  bytes(): number;
  /** Validator of the server for `If-Range`; undefined if it sent none. */
  validator(): string | undefined;
  /** Problems of the disk: dir/not-writable. */
  append(chunk: Uint8Array): Result<void>;
  /** Discards the bytes, and notes the validator of the next ones. */
  restart(validator: string | undefined): Result<void>;
  /** SHA-256 in hex of the bytes so far. */
  digest(): string;
  /** Gives the bytes their final name. Problems: media/output, dir/not-writable. */
  finish(): Result<void>;
  /** Ends the use of the download. Removes it if it is finished, empty or `discarded`. */
  close(end?: 'discarded'): void;
}

const retryHint =
  'free disk space or grant write permission, and run the command again: it continues the download';

/** The file to download. */
export interface DownloadTarget {
  readonly path: string;
  /** Expected SHA-256 in hex. Bytes of a download with another one are discarded. */
  readonly sha256: string;
  /** Command line, for the message to a second run. */
  readonly command: string;
}

/** The result of an earlier download: `absent`, `whole`, or a problem if the file has other contents. Problems: media/output. */
export function existingDownload({ path, sha256 }: DownloadTarget): Result<'absent' | 'whole'> {
  const found = digestFile(path);
  if (found.kind === 'absent') return success('absent');
  if (found.kind === 'file' && found.sha256 === sha256) return success('whole');
  const reason = found.kind === 'unreadable' ? found.reason : 'it has another SHA-256 than the published one';
  const hint = 'move it away, or name another file with --out';
  return failure(problem('media/output', `${path} exists and is not this image: ${reason}`, { hint }));
}

/** Opens or continues the download to a path, and keeps other processes out. Problems: dir/locked, dir/not-writable. */
export async function openPartialDownload(target: DownloadTarget): Promise<Result<PartialDownload>> {
  const folder = `${target.path}.download`;
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    return notWritable(folder, retryHint, error);
  }
  const lock = await takeLock(folder, target.command);
  if (!lock.ok) return lock;
  try {
    return success(partialDownload(target, folder, lock.value));
  } catch (error) {
    lock.value.release();
    removeEmpty(folder);
    return notWritable(join(folder, dataName), retryHint, error);
  }
}

/** Does not follow a link in the place of the file. Source: open(2) */
const openFlags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
const dataName = 'data';
const noteName = 'source.json';

/** Throws system errors. */
function partialDownload(target: DownloadTarget, folder: string, lock: Lock): PartialDownload {
  const [data, note] = [join(folder, dataName), join(folder, noteName)];
  const known = noteIn(note, target.sha256);
  if (known === undefined) rmSync(data, { force: true });
  const file = openSync(data, openFlags, 0o644);
  let size = fstatSync(file).size;
  let { validator } = known ?? {};
  let isDone = false;
  return {
    bytes: () => size,
    validator: () => validator,
    append: (chunk) =>
      attemptWrite(data, retryHint, () => {
        for (let offset = 0; offset < chunk.length;) offset += writeSync(file, chunk, offset);
        size += chunk.length;
      }),
    restart: (next) => {
      const cut = attemptWrite(data, retryHint, () => {
        ftruncateSync(file, 0);
        size = 0;
      });
      validator = next;
      return cut.ok ? replaceFile(note, noteText(target.sha256, next), { mode: 0o644 }) : cut;
    },
    digest: () => {
      const read = digestFile(data);
      return read.kind === 'file' ? read.sha256 : '';
    },
    finish: () => {
      try {
        fsyncSync(file);
        if (renameNoReplace(data, target.path) === 'taken') return existsMeanwhile(target.path);
        isDone = true;
        return success(undefined);
      } catch (error) {
        return notWritable(target.path, retryHint, error);
      }
    },
    close: (end) => {
      closeSync(file);
      const isUseless = isDone || end === 'discarded' || size === 0;
      if (isUseless) for (const path of [data, note]) removeFile(path);
      lock.release();
      if (isUseless) removeEmpty(folder);
    },
  };
}

/** The note of an earlier run about the same contents. */
function noteIn(path: string, sha256: string): { readonly validator: string | undefined } | undefined {
  const read = readOwnFile(path, 64 * 1024);
  const note = read.kind === 'file' ? parseJson(read.bytes.toString('utf8')) : undefined;
  if (!isRecord(note) || note['sha256'] !== sha256) return undefined;
  return { validator: typeof note['validator'] === 'string' ? note['validator'] : undefined };
}

function noteText(sha256: string, validator: string | undefined): string {
  return `${JSON.stringify({ sha256, ...(validator !== undefined && { validator }) })}\n`;
}

function existsMeanwhile(path: string): Result<never> {
  const hint = 'move it away, and run the command again';
  return failure(
    problem('media/output', `${basename(path)} was created by another program meanwhile`, { hint }),
  );
}
