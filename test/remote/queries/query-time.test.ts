import { createSocket } from 'node:dgram';
import { once } from 'node:events';

import { expect, onTestFinished, test } from 'vitest';

import { nameServers } from '../../../src/remote/queries/name-servers.js';
import { queryTime } from '../../../src/remote/queries/query-time.js';
import type { TimeAnswer } from '../../../src/remote/preflight/answers.js';

const present = new Date('2026-01-02T03:04:05Z');

/** The result for a server that answers with this packet; undefined means that it never answers. */
async function askServer(rangeResponse: (question: Buffer) => Buffer | undefined): Promise<TimeAnswer> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const answer = rangeResponse(question);
    if (answer !== undefined) socket.send(answer, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => {
    socket.close();
  });
  return queryTime('127.0.0.1', {
    lookup: nameServers([], 400).lookup,
    present: () => present,
    timeoutMs: 400,
    port: socket.address().port,
  });
}

/** The answer of a clock that is this many seconds ahead. */
function answer(question: Buffer, aheadSeconds: number, { first = 0x24, stratum = 2 } = {}): Buffer {
  const packet = Buffer.alloc(48);
  packet.writeUInt8(first, 0);
  packet.writeUInt8(stratum, 1);
  question.copy(packet, 24, 40, 48);
  for (const offset of [32, 40]) packet.writeUInt32BE(question.readUInt32BE(40) + aheadSeconds, offset);
  return packet;
}

const late: TimeAnswer = { kind: 'unanswered', reason: 'timed out' };

test.each<[name: string, rangeResponse: (question: Buffer) => Buffer | undefined, want: TimeAnswer]>([
  ['has the same time', (question) => answer(question, 0), { kind: 'time', aheadSeconds: 0, stratum: 2 }],
  [
    'is an hour ahead',
    (question) => answer(question, 3600),
    { kind: 'time', aheadSeconds: 3600, stratum: 2 },
  ],
  ['has not set its clock', (question) => answer(question, 0, { first: 0xe4 }), { kind: 'unsynchronised' }],
  ['refuses', (question) => answer(question, 0, { stratum: 0 }), { kind: 'unsynchronised' }],
  ['answers another question', (question) => answer(Buffer.alloc(48, question[7]), 0), late],
  ['sends the question back', (question) => question, late],
  ['sends too little', (question) => answer(question, 0).subarray(0, 40), late],
  ['says nothing', () => undefined, late],
])('a time server that %s', async (_name, rangeResponse, want) => {
  expect(await askServer(rangeResponse)).toEqual(want);
});

test('reports a time server that does not resolve', async () => {
  const { lookup } = nameServers(['127.0.0.1:1'], 400);
  const query = { lookup, present: () => present, timeoutMs: 400 };
  expect(await queryTime('time.example.com', query)).toEqual({
    kind: 'unanswered',
    reason: 'host name does not resolve',
  });
});
