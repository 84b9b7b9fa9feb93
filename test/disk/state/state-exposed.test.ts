import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import type { Problem } from '../../../src/core/problem.js';
import { success } from '../../../src/core/result.js';
import {
  emptyState,
  exposedStateWarnings,
  readState,
  serializeState,
  restrictMode,
} from '../../../src/disk/state/state-file.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { replaceFsCalls, failing, processIs } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

const ownName = '.sno-install-state.json';
const text = serializeState(emptyState);

let dir = '';
let path = '';
beforeEach(() => {
  dir = scratchFolder();
  path = join(dir, ownName);
  writeFileSync(path, text, { mode: 0o600 });
});

const modeOf = (file: string): number => statSync(file).mode & 0o777;

function exposed(reason: string, way: string): Problem {
  return {
    code: 'dir/state-exposed',
    severity: 'warning',
    message: `other users can read ${ownName}, and its mode cannot be changed: ${reason}`,
    at: { file: ownName },
    hint: `it contains every private key of the cluster: ${way}`,
  };
}

const withoutModes = exposed(
  'the file system has no permissions',
  'mount it with umask=077, use another directory, or encrypt state and outputs',
);

describe('a state that others can read', () => {
  it.each([0o604, 0o640, 0o601, 0o610, 0o644])('gets mode 0600, from %o', (mode) => {
    chmodSync(path, mode);
    expect(restrictMode(path, ownName, 0o100_000 + mode)).toEqual([]);
    expect(modeOf(path)).toBe(0o600);
  });

  it('gets mode 0600 when it is read and after it was written', async () => {
    chmodSync(path, 0o644);
    const want = success({ state: emptyState, text, sha256: sha256(text) });
    expect([await readState(path, ownName), modeOf(path)]).toEqual([want, 0o600]);
    chmodSync(path, 0o644);
    expect([exposedStateWarnings(dir), modeOf(path)]).toEqual([[], 0o600]);
  });

  it('causes a warning if the file system ignores modes', async () => {
    chmodSync(path, 0o644);
    replaceFsCalls(() => ({ chmodSync: () => undefined }));
    expect(exposedStateWarnings(dir)).toEqual([withoutModes]);
    expect(await readState(path, ownName)).toMatchObject({ ok: true, warnings: [withoutModes] });
  });

  it.each(['EPERM', 'ENOTSUP'])('causes a warning if the file system has no permissions, by %s', (code) => {
    chmodSync(path, 0o644);
    replaceFsCalls(() => ({ chmodSync: failing(code), fchmodSync: () => undefined }));
    expect(exposedStateWarnings(dir)).toEqual([withoutModes]);
  });

  it.each([
    ['EPERM', 'operation not permitted'],
    ['EROFS', 'the file system is read-only'],
  ])('causes a warning with a command if the mode cannot be changed, by %s', (code, reason) => {
    chmodSync(path, 0o644);
    replaceFsCalls(() => ({ chmodSync: failing(code) }));
    expect(exposedStateWarnings(dir)).toEqual([exposed(reason, 'make it `chmod 600`')]);
  });

  it('causes a warning with the system error', () => {
    chmodSync(path, 0o644);
    replaceFsCalls(() => ({ chmodSync: failing('EIO'), fchmodSync: () => undefined }));
    expect(exposedStateWarnings(dir)).toEqual([exposed('input/output error', 'make it `chmod 600`')]);
  });
});

describe('changes and reports nothing', () => {
  beforeEach(() => {
    replaceFsCalls(() => ({ chmodSync: failing('EIO') }));
  });

  it.each([0o600, 0o700, 0o400])('for a state with mode %o', (mode) => {
    expect(restrictMode(path, ownName, 0o100_000 + mode)).toEqual([]);
  });

  it('if files have no modes', () => {
    processIs({ platform: 'win32' });
    expect(restrictMode(path, ownName, 0o100_666)).toEqual([]);
  });

  it('for a missing state', () => {
    expect(exposedStateWarnings(join(dir, 'empty'))).toEqual([]);
  });
});
