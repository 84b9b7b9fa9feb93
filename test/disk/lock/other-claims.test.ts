import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { ownIdentity } from '../../../src/disk/lock/kernel.js';
import { replaceFsCalls, replaceNetCalls, failing, systemError } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { claimName, layFile, laySocket, livesIn } from './laid-claims.js';

const name = claimName('aa');
const exited = { ...ownIdentity(), pid: spawnSync('true').pid };

let folder = '';
beforeEach(() => {
  folder = scratchFolder();
});

const left = (): readonly string[] => readdirSync(folder).toSorted();

/** Sets the file system type of every folder. Source: statfs(2), f_type */
function typeIs(type: number): void {
  replaceFsCalls(() => ({ statfsSync: (() => ({ type })) as never }));
}

const [ext4, nfs] = [0xef53, 0x6969];

/** Until the test ends, each connection to a socket fails with this code. */
function failProbes(code: string): void {
  const connection = (): object => {
    const events = new EventEmitter();
    process.nextTick(() => events.emit('error', systemError(code)));
    return events;
  };
  replaceNetCalls(() => ({ connect: connection as never }));
}

describe('a claim of this kernel', () => {
  it('is active while its socket answers', async () => {
    await laySocket(folder, name, true);
    layFile(folder, `${name}.holder`);
    expect([await livesIn(folder), left()]).toEqual([{ [name]: 'alive' }, [name, `${name}.holder`]]);
  });

  it('is removed with its holder file when its socket is closed', async () => {
    await laySocket(folder, name, false);
    layFile(folder, `${name}.holder`);
    expect([await livesIn(folder), left()]).toEqual([{}, []]);
  });

  it.each([
    ['ECONNREFUSED', {}],
    ['ENOENT', {}],
    ['EAGAIN', { [name]: 'alive' }],
    ['EACCES', { [name]: 'unknown' }],
  ])('after socket error %s has the state %o', async (code, want) => {
    await laySocket(folder, name, false);
    failProbes(code);
    expect([await livesIn(folder), left()]).toEqual([want, Object.keys(want)]);
  });

  it.each([
    { of: 'this process', identity: ownIdentity(), want: { [name]: 'alive' } },
    { of: 'one that has ended', identity: exited, want: {} },
    {
      of: 'another namespace',
      identity: { ...exited, namespace: 'pid:[1]' },
      want: { [name]: 'unknown' },
    },
    { of: 'nobody: it is no JSON', identity: '{"pid":', want: { [name]: 'unknown' } },
    { of: 'nobody: it is nothing', identity: 'null', want: { [name]: 'unknown' } },
    {
      of: 'nobody: its number is none',
      identity: { ...exited, pid: '7' },
      want: { [name]: 'unknown' },
    },
    {
      of: 'nobody: it has no namespace',
      identity: { pid: exited.pid, started: exited.started },
      want: { [name]: 'unknown' },
    },
    {
      of: 'nobody: it has no start',
      identity: { pid: exited.pid, namespace: exited.namespace },
      want: { [name]: 'unknown' },
    },
  ])('as a file of $of', async ({ identity, want }) => {
    layFile(folder, name, identity);
    expect([await livesIn(folder), left()]).toEqual([want, Object.keys(want)]);
  });

  it('is kept if it is a folder', async () => {
    mkdirSync(join(folder, name));
    expect([await livesIn(folder), left()]).toEqual([{ [name]: 'unknown' }, [name]]);
  });

  it('is stale if it is a broken link', async () => {
    symlinkSync('nothing', join(folder, name));
    expect([await livesIn(folder), left()]).toEqual([{}, []]);
  });

  it('is stale if it disappears during the check; its holder file is removed too', async () => {
    layFile(folder, claimName('bb'));
    layFile(folder, `${name}.holder`);
    replaceFsCalls(({ readdirSync: real }) => ({
      readdirSync: ((path: string) => [...real(path), name]) as never,
    }));
    expect(await livesIn(folder)).toEqual({ [claimName('bb')]: 'alive' });
    expect(existsSync(join(folder, `${name}.holder`))).toBe(false);
  });

  it('is ignored if it cannot be removed', async () => {
    layFile(folder, name, exited);
    replaceFsCalls(() => ({ rmSync: failing('EACCES') }));
    expect([await livesIn(folder), left()]).toEqual([{}, [name]]);
  });
});

describe('a claim of another kernel', () => {
  const otherHost = claimName('aa', '0123456789ab');

  it.each([otherHost, '.sno-install.lock.x'])('is stale on a local file system: %s', async (each) => {
    layFile(folder, each);
    layFile(folder, `${each}.holder`);
    typeIs(ext4);
    expect([await livesIn(folder), left()]).toEqual([{}, []]);
  });

  it('is of unknown state and kept on a shared file system', async () => {
    layFile(folder, otherHost);
    layFile(folder, `${otherHost}.holder`);
    typeIs(nfs);
    expect([await livesIn(folder), left()]).toEqual([
      { [otherHost]: 'unknown' },
      [otherHost, `${otherHost}.holder`],
    ]);
  });
});

describe('a claim in preparation', () => {
  it('is not a claim, and is kept while its process runs', async () => {
    layFile(folder, `${name}.new`);
    await laySocket(folder, `${claimName('bb')}.new`, true);
    expect([await livesIn(folder), left()]).toEqual([{}, [`${name}.new`, `${claimName('bb')}.new`]]);
  });

  it.each([
    { of: 'a process that has ended', text: exited },
    { of: 'which nobody can tell more', text: '' },
  ])('of $of is removed', async ({ text }) => {
    layFile(folder, `${name}.new`, text);
    expect([await livesIn(folder), left()]).toEqual([{}, []]);
  });

  it('is removed, but not files that replaced it', async () => {
    layFile(folder, `${name}.new`, exited);
    layFile(folder, name);
    layFile(folder, `${name}.holder`);
    expect([await livesIn(folder), left()]).toEqual([{ [name]: 'alive' }, [name, `${name}.holder`]]);
  });
});

it('removes a holder file without a claim', async () => {
  layFile(folder, `${name}.holder`);
  expect([await livesIn(folder), left()]).toEqual([{}, []]);
});

it('ignores other files in the folder and the own claim', async () => {
  const others = [
    '.sno-install.lock',
    '.sno-install.lockx',
    'x.sno-install.lock.y',
    'a.holder',
    'a.new',
    'a',
  ];
  for (const each of others) writeFileSync(join(folder, each), '');
  layFile(folder, name, exited);
  layFile(folder, `${name}.holder`);
  layFile(folder, claimName('bb'));

  expect(await livesIn(folder, name)).toEqual({ [claimName('bb')]: 'alive' });
  expect(left()).toEqual([...others, name, `${name}.holder`, claimName('bb')].toSorted());
});
