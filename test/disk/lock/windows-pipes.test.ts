import { EventEmitter } from 'node:events';
import { readdirSync } from 'node:fs';

import { beforeEach, describe, expect, it } from 'vitest';

import { ownIdentity } from '../../../src/disk/lock/kernel.js';
import { publishClaim } from '../../../src/disk/lock/lock-claim.js';
import { replaceNetCalls, processIs, systemError } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { claimName, held, identityIn, layFile, livesIn } from './laid-claims.js';

/** Names of the pipes with a listener. */
let pipes = new Set<string>();
let folder = '';

/** Windows, as far as pipes go: their names are independent of folders. */
beforeEach(() => {
  folder = scratchFolder();
  pipes = new Set();
  processIs({ platform: 'win32' });
  const server = (): object => {
    const events = new EventEmitter();
    let name = '';
    return Object.assign(events, {
      unref: () => undefined,
      listen: (path: string) => {
        name = path;
        pipes.add(name);
        process.nextTick(() => events.emit('listening'));
      },
      close: () => pipes.delete(name),
    });
  };
  const connection = (path: string): object => {
    const events = new EventEmitter();
    process.nextTick(() =>
      pipes.has(path) ? events.emit('connect') : events.emit('error', systemError('ENOENT')),
    );
    return Object.assign(events, { destroy: () => undefined });
  };
  replaceNetCalls(() => ({ createServer: server as never, connect: connection as never }));
});

const pipeOf = (name: string): string => `\\\\.\\pipe\\${name}`;

describe('a claim on Windows', () => {
  it('is a file, and a named pipe at which its process listens', async () => {
    const { name, withdraw } = await publishClaim(held(folder));
    expect([readdirSync(folder), identityIn(folder, name)]).toEqual([[name], ownIdentity()]);
    expect([...pipes]).toEqual([pipeOf(name)]);
    expect(await livesIn(folder)).toEqual({ [name]: 'alive' });

    withdraw();
    expect([readdirSync(folder), pipes.size]).toEqual([[], 0]);
  });

  it('is stale if no process listens, with any content of its file', async () => {
    layFile(folder, claimName('aa'));
    layFile(folder, `${claimName('aa')}.holder`);
    expect([await livesIn(folder), readdirSync(folder)]).toEqual([{}, []]);
  });

  it('is checked by its final name during its creation', async () => {
    const [lives, exited] = [claimName('aa'), claimName('bb')];
    for (const name of [lives, exited]) layFile(folder, `${name}.new`);
    pipes.add(pipeOf(lives)).add(pipeOf(`${exited}.new`));
    expect([await livesIn(folder), readdirSync(folder)]).toEqual([{}, [`${lives}.new`]]);
  });

  it('is checked by its full name otherwise', async () => {
    const name = claimName('aa').replace(/0+aa$/, 'new.aa');
    layFile(folder, name);
    pipes.add(pipeOf(name));
    expect(await livesIn(folder)).toEqual({ [name]: 'alive' });
  });
});
