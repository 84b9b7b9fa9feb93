import { closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { fileNameFault } from '../../../src/disk/file-systems/file-names.js';
import { hasModes, isModeIn, keepsModes, setMode } from '../../../src/disk/file-systems/modes.js';
import { procPath } from '../../../src/disk/file-systems/proc.js';
import { isUnsupported } from '../../../src/disk/file-systems/unsupported.js';
import { replaceFsCalls, failing, processIs, systemError } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

let folder = '';
beforeEach(() => {
  folder = scratchFolder();
});

describe('file permissions', () => {
  it('are preserved here, and the probe file is removed', () => {
    expect([hasModes(), keepsModes(folder), readdirSync(folder)]).toEqual([true, true, []]);
  });

  it('are not preserved on Windows, without a probe file', () => {
    processIs({ platform: 'win32' });
    replaceFsCalls(() => ({ openSync: failing('EIO') }));
    expect([hasModes(), keepsModes(folder)]).toEqual([false, false]);
  });

  it.each([0o700, 0o600, 0o644, 0o777])(
    'are not preserved if the mount reports %o for every file',
    (mode) => {
      replaceFsCalls(({ fstatSync }) => ({
        fstatSync: ((file: number) => Object.assign(fstatSync(file), { mode: 0o100_000 + mode })) as never,
      }));
      expect([keepsModes(folder), readdirSync(folder)]).toEqual([false, []]);
    },
  );

  it('are assumed to be preserved if no file can be created', () => {
    expect(keepsModes(join(folder, 'missing'))).toBe(true);
  });

  it('are set as requested', () => {
    expect([isModeIn(folder, 0o100_600, 0o600), isModeIn(folder, 0o100_644, 0o600)]).toEqual([true, false]);
    expect([isModeIn(folder, 0o104_600, 0o600), isModeIn(folder, 0o40_700, 0o700)]).toEqual([false, true]);
  });

  it('are approximated on file systems without permissions', () => {
    replaceFsCalls(() => ({ fchmodSync: () => undefined }));
    expect(isModeIn(folder, 0o100_755, 0o600)).toBe(true);
  });

  it.each([
    ['EPERM', undefined],
    ['ENOSYS', undefined],
    ['EIO', 'EIO'],
  ])('are set on file systems with permissions: %s', (code, thrown) => {
    mkdirSync(join(folder, 'sub'));
    const file = openSync(join(folder, 'file'), 'w', 0o600);
    try {
      setMode(file, 0o640);
      expect(statSync(join(folder, 'file')).mode & 0o7777).toBe(0o640);
      replaceFsCalls(() => ({ fchmodSync: failing(code) }));
      const act = (): void => {
        setMode(file, 0o600);
      };
      if (thrown === undefined) expect(act).not.toThrow();
      else expect(act).toThrow(expect.objectContaining({ code: thrown }) as Error);
    } finally {
      closeSync(file);
    }
  });
});

it.each(['con', 'CON', 'con.yaml', 'Aux', 'nul.', 'com1', 'COM\u00b9', 'lpt9.txt', 'prn'])(
  'Windows has no file %s',
  (name) => {
    expect(fileNameFault(name)).toBeUndefined();
    processIs({ platform: 'win32' });
    expect(fileNameFault(name)).toBe(`${name} is a reserved name on Windows`);
  },
);

it.each([
  ['end.', 'names on Windows cannot end with a dot or a space'],
  ['end ', 'names on Windows cannot end with a dot or a space'],
  ...['<', '>', ':', '"', '\\', '|', '?', '*', '\u0001', '\u001f'].map((odd) => [
    `a${odd}b`,
    'names on Windows cannot contain < > : " \\ | ? *',
  ]),
  ...['console', 'com', 'com10', 'acon', 'lpt', 'a.con', 'a b', '.a'].map((name) => [name, undefined]),
])('for %j, Windows reports %s', (name, reason) => {
  processIs({ platform: 'win32' });
  expect(fileNameFault(String(name))).toBe(reason);
});

it('uses /proc only on Linux', () => {
  processIs({ platform: 'linux' });
  expect(procPath('self/fd', '3')).toBe('/proc/self/fd/3');
  processIs({ platform: 'win32' });
  expect(procPath('self/fd', '3')).toBeUndefined();
});

it.each([
  ...['EPERM', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR'].map((code) => [code, true] as const),
  ...['EACCES', 'EIO', 'ENOSPC', 'ENOENT', 'EEXIST'].map((code) => [code, false] as const),
])('%s means that a call is not supported: %s', (code, isOne) => {
  expect([isUnsupported(systemError(code)), isUnsupported(new Error(code)), isUnsupported(code)]).toEqual([
    isOne,
    false,
    false,
  ]);
});
