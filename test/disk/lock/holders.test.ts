import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { ownIdentity } from '../../../src/disk/lock/kernel.js';
import { takeLock } from '../../../src/disk/lock/lock.js';
import { scratchFolder } from '../../support/scratch.js';
import { claimName, layFile, laySocket, neverWaiting, notLocked, lockedNow } from './laid-claims.js';

const name = claimName('aa');
/** An identity in a PID namespace that this process cannot inspect. */
const untold = { ...ownIdentity(), namespace: 'pid:[1]' };

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

const taking = () => takeLock(dir, 'sno-install validate');

describe('a directory locked by another run', () => {
  const holder = { pid: 71, host: 'host-a', command: 'sno-install create' };
  const message = 'another run uses this directory: `sno-install create`, process 71 on host-a';

  it('waits while that run is alive', async () => {
    await laySocket(dir, name, true);
    layFile(dir, `${name}.holder`, holder);
    expect(await taking()).toEqual(notLocked('dir/locked', message, 'wait until it has finished'));
    expect(readdirSync(dir).toSorted()).toEqual([name, `${name}.holder`]);
  });

  it('gets a hint to wait or delete the claim if the run cannot be checked', async () => {
    layFile(dir, name, untold);
    layFile(dir, `${name}.holder`, holder);
    const hint = `if that process no longer runs, delete ${join(dir, name)}`;
    expect(await taking()).toEqual(notLocked('dir/locked', message, hint));
  });

  it('is reported with process, host and command of the run', async () => {
    for (const each of [claimName('a0'), name, claimName('b0')]) layFile(dir, each, untold);
    layFile(dir, `${name}.holder`, holder);
    const found = await taking();
    expect(found).toMatchObject({ ok: false, problems: [{ message }] });
  });

  it('is reported without control characters', async () => {
    layFile(dir, name, untold);
    const odd = { pid: 71, host: '\u0000h\u001f\u007f\u009f', command: ' ~\u001b[2J\u00a0' };
    layFile(dir, `${name}.holder`, odd);
    const shown =
      'another run uses this directory: ` ~\u00b7[2J\u00a0`, process 71 on \u00b7h\u00b7\u00b7\u00b7';
    expect(await taking()).toMatchObject({ ok: false, problems: [{ message: shown }] });
  });

  it.each([
    { name: 'no JSON', said: '{"pid":' },
    { name: 'nothing', said: 'null' },
    { name: 'no number', said: { ...holder, pid: '71' } },
    { name: 'no host', said: { pid: 71, command: 'x' } },
    { name: 'no command', said: { pid: 71, host: 'x' } },
    { name: 'more than 64 KiB', said: JSON.stringify(holder).padEnd(64 * 1024 + 1) },
  ])('is reported without the run if the holder file has $name', async ({ said }) => {
    const waited = neverWaiting();
    layFile(dir, name, untold);
    layFile(dir, `${name}.holder`, said);
    expect(await taking()).toEqual(lockedNow(dir, name));
    expect(waited()).toBe(50);
    expect(readdirSync(dir).toSorted()).toEqual([name, `${name}.holder`]);
  });

  it('is reported with a holder file of 64 KiB', async () => {
    layFile(dir, name, untold);
    layFile(dir, `${name}.holder`, JSON.stringify(holder).padEnd(64 * 1024));
    expect(await taking()).toMatchObject({ ok: false, problems: [{ message }] });
  });
});
