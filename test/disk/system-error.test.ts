import { expect, it } from 'vitest';

import { reasonOf, systemErrorCode } from '../../src/disk/system-error.js';
import { systemError } from '../support/other-system.js';

it.each([
  ['EACCES', 'permission denied'],
  ['EPERM', 'operation not permitted'],
  ['EISDIR', 'it is a folder, not a file'],
  ['ENOTDIR', 'a component of its path is not a folder'],
  ['ENOENT', 'it does not exist'],
  ['ENOSPC', 'the disk is full'],
  ['EROFS', 'the file system is read-only'],
  ['ELOOP', 'too many symbolic links'],
  ['EFBIG', 'the file is too large for the file system'],
  ['EDQUOT', 'the disk quota is exceeded'],
  ['EBUSY', 'it is in use by another program'],
  ['EIO', 'input/output error'],
  ['ENOSYS', 'not supported by the file system'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['EXDEV', 'EXDEV'],
])('%s means: %s', (code, reason) => {
  expect([systemErrorCode(systemError(code)), reasonOf(systemError(code))]).toEqual([code, reason]);
});

it.each([
  { name: 'an error of this program', error: new Error('auth is a link'), want: 'auth is a link' },
  { name: 'an internal error', error: new TypeError('no function'), want: 'TypeError: no function' },
  {
    name: 'an error with a numeric code',
    error: Object.assign(new Error('a number'), { code: 5 }),
    want: 'a number',
  },
  { name: 'a text', error: 'ENOENT', want: 'ENOENT' },
  { name: 'a value that is not an error', error: { code: 'ENOENT' }, want: '[object Object]' },
])('$name is not a system error, and is reported as it is', ({ error, want }) => {
  expect([systemErrorCode(error), reasonOf(error)]).toEqual([undefined, want]);
});
