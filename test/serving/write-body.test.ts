import { PassThrough, Writable } from 'node:stream';

import { expect, test } from 'vitest';

import { bodyWriter, ClientGone } from '../../src/serving/answers/write-body.js';

test('nothing is read for a client that went before its answer was begun', async () => {
  const raw = new PassThrough();
  raw.destroy();
  await new Promise((resolve) => raw.once('close', resolve));
  await expect(bodyWriter(raw, 10).room()).rejects.toThrow(ClientGone);
});

test('nothing more is read once a piece could not be written', async () => {
  let fail = (): void => expect.unreachable();
  // As an answer whose connection is gone, which never tells that it was closed.
  const raw = new Writable({
    autoDestroy: false,
    write: (_piece, _encoding, done) => {
      fail = () => {
        done(new Error('write after end'));
      };
    },
  });
  raw.on('error', () => undefined);
  const { room, write } = bodyWriter(raw, 10);
  for (let pieces = 0; pieces < 3; pieces += 1) write(await room());
  const waiting = room();
  fail();
  await expect(waiting).rejects.toThrow(ClientGone);
});
