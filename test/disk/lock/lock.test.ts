import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';

import { isLocalFileSystem, kernelId, ownIdentity } from '../../../src/disk/lock/kernel.js';
import { takeLock } from '../../../src/disk/lock/lock.js';
import { scratchFolder } from '../../support/scratch.js';
import { scaledMs } from '../../support/time-scale.js';

const prefix = '.sno-install.lock';

/** Takes the lock and releases it at once. Returns the problems when it is locked. */
async function tryLock(dir: string): Promise<readonly (string | undefined)[]> {
  const lock = await takeLock(dir, 'sno-install validate');
  if (lock.ok) lock.value.release();
  return lock.ok ? [] : lock.problems.flatMap(({ code, message, hint }) => [code, message, hint]);
}

function holder(dir: string, name: string, command = 'sno-install x'): void {
  writeFileSync(
    join(dir, `${name}.holder`),
    JSON.stringify({ pid: 7, host: 'builder.example.com', command }),
  );
}

/** The claim of a killed run: a socket without a listener. */
async function staleSocket(dir: string, name: string): Promise<void> {
  const server = createServer().listen(join(dir, 'bound'));
  await once(server, 'listening');
  renameSync(join(dir, 'bound'), join(dir, name));
  server.close();
  await once(server, 'close');
  holder(dir, name);
}

it('reports the holder to a second run, which succeeds after the release', async () => {
  const dir = scratchFolder();
  const first = await takeLock(dir, 'sno-install create manifests');

  const second = await tryLock(dir);

  expect(first.ok).toBe(true);
  expect(second).toEqual([
    'dir/locked',
    `another run uses this directory: \`sno-install create manifests\`, process ${process.pid} on ${hostname()}`,
    'wait until it has finished',
  ]);
  if (first.ok) first.value.release();
  expect(await tryLock(dir)).toEqual([]);
  expect(readdirSync(dir)).toEqual([]);
});

it('admits one of many runs at a time', async () => {
  const dir = scratchFolder();

  const locks = await Promise.all(Array.from({ length: 8 }, (_, index) => takeLock(dir, `run ${index}`)));

  const held = locks.flatMap((lock) => (lock.ok ? [lock.value] : []));
  expect(held).toHaveLength(1);
  for (const lock of held) lock.release();
  expect(readdirSync(dir)).toEqual([]);
});

it('works in a folder whose path is too long for a socket', async () => {
  const dir = join(scratchFolder(), 'a'.repeat(200), 'b'.repeat(200));
  mkdirSync(dir, { recursive: true });
  const first = await takeLock(dir, 'x');

  expect(first.ok).toBe(true);
  expect((await tryLock(dir))[2]).toBe('wait until it has finished');
  if (first.ok) first.value.release();
});

describe('removes the files of a killed run', () => {
  const claim = `${prefix}.${kernelId()}.00000000000000aa`;
  const exited = { ...ownIdentity(), pid: spawnSync(process.execPath, ['-e', '']).pid };
  const cases: readonly { readonly name: string; readonly given: (dir: string) => Promise<void> | void }[] = [
    { name: 'a socket without a listener', given: (dir) => staleSocket(dir, claim) },
    { name: 'a claim in preparation', given: (dir) => staleSocket(dir, `${claim}.new`) },
    {
      name: 'a claim that is a file',
      given: (dir) => {
        writeFileSync(join(dir, claim), JSON.stringify(exited));
      },
    },
    {
      name: 'a claim whose process ID now belongs to another process',
      given: (dir) => {
        writeFileSync(join(dir, claim), JSON.stringify({ ...ownIdentity(), started: '1' }));
      },
    },
    {
      name: 'a partly written claim',
      given: (dir) => {
        writeFileSync(join(dir, `${claim}.new`), '{"pid":');
      },
    },
  ];
  it.each(cases)('$name', async ({ given }) => {
    const dir = scratchFolder();
    await given(dir);

    expect(await tryLock(dir)).toEqual([]);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('a claim from before the last boot, on a local file system', async ({ skip }) => {
    const dir = scratchFolder();
    if (!isLocalFileSystem(dir)) skip('the folder for temporary files may be shared with other machines');
    await staleSocket(dir, `${prefix}.0123456789ab.00000000000000aa`);

    expect(await tryLock(dir)).toEqual([]);
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('keeps a claim that cannot be checked, and prints a hint', () => {
  const name = `${prefix}.${kernelId()}.00000000000000aa`;
  const untold = (dir: string): string => `if that process no longer runs, delete ${join(dir, name)}`;

  it('from another namespace, in folders without sockets', async () => {
    const dir = scratchFolder();
    writeFileSync(join(dir, name), JSON.stringify({ ...ownIdentity(), namespace: 'pid:[1]' }));
    holder(dir, name, 'sno-install \u001b[2Jx');

    expect(await tryLock(dir)).toEqual([
      'dir/locked',
      'another run uses this directory: `sno-install \u00b7[2Jx`, process 7 on builder.example.com',
      untold(dir),
    ]);
    expect(existsSync(join(dir, name))).toBe(true);
  });

  it('that is unreadable', async () => {
    const dir = scratchFolder();
    writeFileSync(join(dir, name), 'of another form');

    expect(await tryLock(dir)).toEqual([
      'dir/locked',
      `another run is locking ${dir}`,
      `run the command again; if no other run uses the directory, delete ${join(dir, name)}`,
    ]);
  });

  it('in the format of earlier versions, without opening it', async () => {
    const dir = scratchFolder();
    spawnSync('mkfifo', [join(dir, prefix)]);

    expect(await tryLock(dir)).toEqual([
      'dir/locked',
      `${join(dir, prefix)} exists, a lock file of an earlier version`,
      'if no other run uses the directory, delete it',
    ]);
  });
});

describe('a holder in another PID namespace, with the same host name', () => {
  it('is detected, and its lock is free after a kill', async ({ skip }) => {
    const dir = scratchFolder();
    const script =
      'import { takeLock } from "./lock.mjs"; await takeLock(process.argv[1], "holder"); console.log("held"); setInterval(() => {}, 1000)';
    const module = join(scratchFolder(), 'lock.mjs');
    const { build } = await import('rolldown');
    await build({
      input: 'src/disk/lock/lock.ts',
      platform: 'node',
      output: { file: module, format: 'esm' },
      logLevel: 'silent',
    });
    const apart = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child'];
    const node = [process.execPath, '--input-type=module', '-e', script.replace('./lock.mjs', module), dir];
    const other = spawn('unshare', [...apart, ...node], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => {
      other.kill('SIGKILL');
    });
    const began = await Promise.race([once(other.stdout, 'data'), once(other, 'exit')]);
    if (!String(began[0]).startsWith('held')) skip('this machine makes no namespaces for us');

    const whileHeld = await tryLock(dir);
    other.kill('SIGKILL');
    await once(other, 'exit');

    expect(whileHeld.slice(1)).toEqual([
      expect.stringMatching(/^another run uses this directory: `holder`, process \d+ on /),
      'wait until it has finished',
    ]);
    expect(await freed(dir)).toEqual([]);
  });
});

/** The kernel ends the processes of a PID namespace after its first one; the lock is held until then. */
async function freed(dir: string): Promise<readonly unknown[]> {
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await tryLock(dir)).length === 0) return readdirSync(dir);
    await wait(50);
  }
  return ['still held'];
}

it(
  'has one holder at a time among killed processes of two PID namespaces',
  { timeout: scaledMs(300_000) },
  ({ skip }) => {
    const { status, stdout } = spawnSync(process.execPath, [resolve('scripts/lock-stress.mjs'), '300'], {
      encoding: 'utf8',
    });
    if (status === 127 || !stdout.startsWith('{')) skip('this machine makes no namespaces for us');

    expect(JSON.parse(stdout)).toMatchObject({ ok: true, heldTwice: 0, left: [], namespaces: 2 });
  },
);

it('reports a directory that is not writable', async () => {
  const dir = join(scratchFolder(), 'missing');

  expect(await tryLock(dir)).toEqual([
    'dir/not-writable',
    `cannot write in ${dir}: it does not exist`,
    'name another directory with --dir',
  ]);
  expect(existsSync(dir)).toBe(false);
});
