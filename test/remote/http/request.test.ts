import { Agent, createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, onTestFinished, test } from 'vitest';

import { sendHttp, type HttpResponse, type ResponseLimits } from '../../../src/remote/http/request.js';

async function serve(answer: RequestListener): Promise<URL> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

async function get(answer: RequestListener, limits: Partial<ResponseLimits> = {}): Promise<HttpResponse> {
  const agent = new Agent();
  onTestFinished(() => {
    agent.destroy();
  });
  const request = { method: 'GET', url: await serve(answer) };
  return sendHttp(request, { agent, maxBytes: 4, ...limits });
}

const tooLarge = (): Error => new Error('too large');
const incomplete = (): Error => new Error('incomplete');
const long: RequestListener = (_request, response) => response.end('abcde');
const cut: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-length': '4' });
  response.write('ab', () => response.destroy());
};

test('a response has its status, headers and body', async () => {
  const { status, headers, body } = await get((_request, response) => {
    response.writeHead(201, { etag: '"a"' }).end('abcd');
  });
  expect([status, headers.etag, body.toString()]).toEqual([201, '"a"', 'abcd']);
});

test.each([
  { name: 'too long', answer: long, want: 'too large' },
  { name: 'cut', answer: cut, want: 'incomplete' },
])('a body that is $name is an error', async ({ answer, want }) => {
  await expect(get(answer, { tooLarge, incomplete })).rejects.toThrow(want);
});

test('a body that is cut is an error of the connection by default', async () => {
  await expect(get(cut, { tooLarge })).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test.each([
  { name: 'too long', answer: long },
  { name: 'cut', answer: cut },
])('the status counts if the body is $name and not needed', async ({ answer }) => {
  const { status, body } = await get(answer);
  expect([status, body.length]).toEqual([200, 0]);
});

test('a redirect is not followed', async () => {
  const paths: (string | undefined)[] = [];
  const { status } = await get(({ url }, response) => {
    paths.push(url);
    response.writeHead(302, { location: '/other' }).end();
  });
  expect([status, paths]).toEqual([302, ['/']]);
});

test('a server that switches protocols gives its status', async () => {
  const { status } = await get((_request, response) => {
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  });
  expect(status).toBe(101);
});

test('a request that waits for a connection of the agent ends with its signal', async () => {
  const agent = new Agent({ maxSockets: 1 });
  onTestFinished(() => {
    agent.destroy();
  });
  const url = await serve(() => undefined);
  const first = new AbortController();
  const second = new AbortController();
  const [running, waiting] = [first, second].map(({ signal }) =>
    sendHttp({ method: 'GET', url }, { agent, signal, maxBytes: 4 }),
  );
  second.abort(new Error('timed out'));
  await expect(waiting).rejects.toThrow('timed out');
  first.abort(new Error('interrupted'));
  await expect(running).rejects.toThrow('interrupted');
});
