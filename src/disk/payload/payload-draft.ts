import { appendFileSync, chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

import { success, type Result } from '../../core/result.js';
import { notWritable } from '../attempt-write.js';
import { renameNoReplace } from '../file-systems/rename-no-replace.js';
import { draftPath, removeStaleDrafts } from '../image/image-drafts.js';
import { existingImageProblem } from '../image/image-file.js';
import { syncFolder } from '../write-durably.js';

/** The file in which a payload is written, beside its final place. */
export interface PayloadDraft {
  readonly path: string;
  /** Problems: dir/not-writable. */
  readonly append: (bytes: Uint8Array) => Result<void>;
  /** Gives the draft its name. Problems: media/output, dir/not-writable. */
  readonly finish: (options: { readonly overwrite: boolean }) => Result<void>;
  readonly remove: () => void;
}

/** Also removes drafts of killed runs. */
export function payloadDraft(out: string): PayloadDraft {
  removeStaleDrafts(out);
  const path = draftPath(out);
  const write = (action: () => Result<void>): Result<void> => {
    try {
      return action();
    } catch (error) {
      return notWritable(out, 'free disk space or grant write permission', error);
    }
  };
  return {
    path,
    append: (bytes) =>
      write(() => {
        appendFileSync(path, bytes);
        return success(undefined);
      }),
    finish: ({ overwrite }) =>
      write(() => {
        // It contains no secrets: a payload is the same for all sites.
        chmodSync(path, 0o644);
        const file = openSync(path, 'r');
        try {
          fsyncSync(file);
        } finally {
          closeSync(file);
        }
        if (overwrite) renameSync(path, out);
        else if (renameNoReplace(path, out) === 'taken') return existingImageProblem(out);
        syncFolder(dirname(out));
        return success(undefined);
      }),
    remove: () => {
      rmSync(path, { force: true });
    },
  };
}
