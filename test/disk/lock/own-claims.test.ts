import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { kernelId, ownIdentity } from '../../../src/disk/lock/kernel.js';
import { publishClaim } from '../../../src/disk/lock/lock-claim.js';
import {
  replaceFsCalls,
  replaceNetCalls,
  failing,
  processIs,
  systemError,
} from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { held, identityIn, livesIn } from './laid-claims.js';

let folder = '';
beforeEach(() => {
  folder = scratchFolder();
});

const isSocket = (name: string): boolean => lstatSync(join(folder, name)).isSocket();

/** `connected`, or the error of connecting to the socket. */
function answerAt(path: string): Promise<string> {
  return new Promise((answer) => {
    const connection = connect(path);
    connection.once('connect', () => {
      connection.destroy();
      answer('connected');
    });
    connection.once('error', (error) => {
      answer(error.message);
    });
  });
}

/** Until the test ends, servers fail with `code` instead of listening. `meanwhile` runs before the failure. */
function serversFail(code: string, meanwhile: (path: string) => void = () => undefined): void {
  replaceNetCalls(({ createServer }) => ({
    createServer: () => {
      const server = createServer();
      server.listen = (path: unknown): Server => {
        meanwhile(String(path));
        process.nextTick(() => server.emit('error', systemError(code)));
        return server;
      };
      return server;
    },
  }));
}

describe('the claim of a run', () => {
  it('is a socket that shows every user with access whether the run is alive', async () => {
    const { name, withdraw } = await publishClaim(held(folder));
    const path = join(folder, name);

    expect(name).toMatch(/^\.sno-install\.lock\.[0-9a-f]{12}\.[0-9a-f]{16}$/);
    expect(name.split('.')[3]).toBe(kernelId());
    expect([readdirSync(folder), isSocket(name), lstatSync(path).mode & 0o777]).toEqual([
      [name],
      true,
      0o666,
    ]);
    expect(await answerAt(path)).toBe('connected');
    expect(await livesIn(folder)).toEqual({ [name]: 'alive' });

    withdraw();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has a new name each time', async () => {
    const claims = await Promise.all(Array.from({ length: 3 }, () => publishClaim(held(folder))));
    expect(new Set(claims.map(({ name }) => name)).size).toBe(3);
    for (const { withdraw } of claims) withdraw();
  });

  it('is removed with its holder file and draft', async () => {
    const { name, withdraw } = await publishClaim(held(folder));
    for (const other of [`${name}.holder`, `${name}.new`, 'other']) writeFileSync(join(folder, other), '');
    withdraw();
    expect(readdirSync(folder)).toEqual(['other']);
  });

  it('sends no data to clients, and stops listening when it is removed', async () => {
    let listening: Server | undefined;
    replaceNetCalls(({ createServer }) => ({
      createServer: ((...args: Parameters<typeof createServer>) =>
        (listening = createServer(...args))) as typeof createServer,
    }));
    const { withdraw } = await publishClaim(held(folder));
    expect(listening?.listening).toBe(true);
    const done: string[] = [];
    listening?.emit('connection', {
      destroy: () => done.push('destroyed'),
      write: () => done.push('written'),
    });
    expect(done).toEqual(['destroyed']);
    withdraw();
    expect(listening?.listening).toBe(false);
  });
});

describe('uses a file with the process ID if sockets are not supported', () => {
  /** Checks that the claim is a file, that it is alone in the folder, and that `withdraw` deletes it. */
  async function fileIsPublished(within = folder): Promise<void> {
    const { name, withdraw } = await publishClaim(held(within));
    expect([readdirSync(within), identityIn(within, name)]).toEqual([[name], ownIdentity()]);
    expect(await livesIn(within)).toEqual({ [name]: 'alive' });
    withdraw();
    expect(readdirSync(within)).toEqual([]);
  }

  it.each(['EPERM', 'EIO', 'ENOENT'])('because no socket can be created: %s', async (code) => {
    serversFail(code);
    await fileIsPublished();
  });

  it('because a regular file is created instead', async () => {
    serversFail('EOPNOTSUPP', (path) => {
      writeFileSync(path, '');
    });
    await fileIsPublished();
  });

  it('because its mode cannot be changed', async () => {
    replaceFsCalls(() => ({ chmodSync: failing('EPERM') }));
    await fileIsPublished();
  });

  it('because it does not answer', async () => {
    replaceNetCalls(({ connect: real }) => ({
      connect: () => real(join(folder, 'nothing')),
    }));
    const { name, withdraw } = await publishClaim(held(folder));
    expect(identityIn(folder, name)).toEqual(ownIdentity());
    withdraw();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('which every user can read, and which overwrites no file', async () => {
    const written: unknown[] = [];
    replaceFsCalls(({ writeFileSync: real }) => ({
      chmodSync: failing('EPERM'),
      writeFileSync: (path, text, options) => {
        written.push(String(path).slice(-4), options);
        real(path, text, options);
      },
    }));
    await fileIsPublished();
    expect(written).toEqual(['.new', { flag: 'wx', mode: 0o644 }]);
  });

  // Without /proc there is no shorter name for a folder than its path. Source: unix(7), sun_path
  it.each([
    { bytes: 103, want: true },
    { bytes: 104, want: false },
  ])('because its path has $bytes bytes: a socket is possible: $want', async ({ bytes, want }) => {
    processIs({ platform: 'darwin' });
    const beside = '/.sno-install.lock.0123456789ab.0123456789abcdef.new'.length;
    const inner = join(folder, 'n'.repeat(bytes - beside - folder.length - 1));
    mkdirSync(inner);
    const { name, withdraw } = await publishClaim(held(inner));
    expect(lstatSync(join(inner, name)).isSocket()).toBe(want);
    withdraw();
  });
});

describe('a claim that another run removed during its creation', () => {
  it.each(['chmodSync', 'renameSync'] as const)('is invalid and leaves no file: %s', async (call) => {
    const closed: (() => boolean)[] = [];
    replaceNetCalls(({ createServer }) => ({
      createServer: ((...args: Parameters<typeof createServer>) => {
        const server = createServer(...args);
        closed.push(() => !server.listening);
        return server;
      }) as typeof createServer,
    }));
    replaceFsCalls(() => ({ [call]: failing('ENOENT') }));
    await expect(publishClaim(held(folder))).rejects.toMatchObject({ code: 'ENOENT' });
    expect([closed.map((each) => each()), readdirSync(folder)]).toEqual([[true], []]);
    expect(existsSync(folder)).toBe(true);
  });
});

it('reports why a folder is not writable', async () => {
  replaceFsCalls(() => ({ chmodSync: failing('EPERM'), writeFileSync: failing('EROFS') }));
  await expect(publishClaim(held(folder))).rejects.toMatchObject({ code: 'EROFS' });
  expect(readdirSync(folder)).toEqual([]);
});
