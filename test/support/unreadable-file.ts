import { resolve } from 'node:path';

import { failure, type Failure } from '../../src/core/result.js';

/** The failure of a file that cannot be read; `subject` is its option or its purpose. */
export function unreadableFailure(subject: string, path: string, reason: string): Failure {
  return failure({
    code: 'usage/unreadable-file',
    severity: 'error',
    message: `${subject} ${path} cannot be read: ${reason}`,
    at: { file: resolve(path) },
    hint: 'name a file that exists and that this user can read',
  });
}
