import { createSocket } from 'node:dgram';
import { once } from 'node:events';

import { expect, onTestFinished, test } from 'vitest';

import { nameServers } from '../../../src/remote/queries/name-servers.js';

/** A name server that answers with this response code and no record; undefined means that it never answers. */
async function serverWith(code: number | undefined): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    if (code === undefined) return;
    const answer = Buffer.from(question);
    answer.writeUInt16BE(0x8180 | code, 2);
    socket.send(answer, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => {
    socket.close();
  });
  return `127.0.0.1:${socket.address().port}`;
}

test.each<[name: string, code: number | undefined, want: unknown]>([
  ['has no such name', 3, { kind: 'nothing' }],
  ['has no address for it', 0, { kind: 'nothing' }],
  ['fails', 2, { kind: 'unanswered', reason: 'server failure (SERVFAIL)' }],
  ['refuses', 5, { kind: 'unanswered', reason: 'query refused (REFUSED)' }],
  ['says nothing', undefined, { kind: 'unanswered', reason: 'timed out' }],
])('a name server that %s', async (_name, code, want) => {
  const { askName, askReverse } = nameServers([await serverWith(code)], 400);
  expect(await Promise.all([askName('api.site1.example.com'), askReverse('192.0.2.1')])).toEqual([
    want,
    want,
  ]);
});

test('connections find their hosts by the servers that were named', async () => {
  const { lookup } = nameServers([await serverWith(3)], 400);
  const code = await new Promise((resolve) => {
    lookup('registry.example.com', {}, (error) => {
      resolve(error?.code);
    });
  });
  expect(code).toBe('ENOTFOUND');
});
