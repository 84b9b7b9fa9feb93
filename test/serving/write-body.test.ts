import { PassThrough, Writable } from 'node:stream';

import { expect, test } from 'vitest';

import { pieceBuffers } from '../../src/serving/answers/piece-buffers.js';
import { bodyWriter, ClientGone } from '../../src/serving/answers/write-body.js';

test('nothing is read for a client that went before its answer was begun', async () => {
  const raw = new PassThrough();
  raw.destroy();
  await new Promise((resolve) => raw.once('close', resolve));
  await expect(bodyWriter(raw, { bytes: 10, buffers: pieceBuffers() }).room()).rejects.toThrow(ClientGone);
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
  const { room, write } = bodyWriter(raw, { bytes: 10, buffers: pieceBuffers() });
  for (let pieces = 0; pieces < 3; pieces += 1) write(await room());
  const waiting = room();
  fail();
  await expect(waiting).rejects.toThrow(ClientGone);
});

/** An answer that says when what was written has been sent, or that it was not. */
function answerInSteps() {
  const told: ((error?: Error) => void)[] = [];
  const raw = new Writable({
    highWaterMark: 1e6,
    write: (_piece, _encoding, done) => {
      told.push(done);
    },
  });
  raw.on('error', () => undefined);
  const closed = () => new Promise((resolve) => raw.once('close', resolve));
  return { raw, told, closed };
}

test('the next answer has the buffers of one that has ended, small ones for small answers', async () => {
  const buffers = pieceBuffers();
  const answered = async (bytes: number) => {
    const { raw, told, closed } = answerInSteps();
    const { room, write } = bodyWriter(raw, { bytes, buffers });
    const used = await room();
    write(used.subarray(0, bytes));
    told.shift()?.();
    raw.end();
    await closed();
    return used;
  };
  const [small, large] = [await answered(100), await answered(1e6)];
  expect([small.length, large.length]).toEqual([64 * 1024, 256 * 1024]);
  expect(await answered(64 * 1024)).toBe(small);
  expect(await answered(64 * 1024 + 1)).toBe(large);
});

test("a buffer that is under way is nobody else's, nor one of which is not known that it was sent", async () => {
  const buffers = pieceBuffers();
  const [{ raw, closed }, other] = [answerInSteps(), answerInSteps()];
  const { room, write } = bodyWriter(raw, { bytes: 100, buffers });
  const underWay = await room();
  write(underWay);
  const beside = bodyWriter(other.raw, { bytes: 100, buffers });
  expect(await beside.room()).not.toBe(underWay);
  raw.destroy();
  await closed();
  expect(buffers.take(100)).not.toBe(underWay);
});

test('no more buffers are kept than some', () => {
  const buffers = pieceBuffers();
  const taken = Array.from({ length: 100 }, () => buffers.take(100));
  for (const each of taken) buffers.giveBack(each);
  const again = Array.from({ length: 100 }, () => buffers.take(100));
  expect(again.filter((each) => taken.includes(each)).length).toBe(24);
});
