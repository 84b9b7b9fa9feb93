import { once, setMaxListeners } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';

import { served } from './serve-servers.mjs';
import { liveImage, sitesOf } from './serve-sites.mjs';

const clients = 2000;
/** Client addresses; each has fewer connections than the limit per address. */
const addresses = 40;

/** Memory of the server, and response times for other clients, under load of misbehaving clients: for ten minutes, or `--seconds=N`. */
export async function loadOfServe(words = []) {
  const [seconds = 600] = words.flatMap((word) =>
    word.startsWith('--seconds=') ? [Number(word.slice(10))] : [],
  );
  const iso = await liveImage();
  const limits = ['--max-connections', String(clients + 500), '--idle-timeout', '10s'];
  const server = await served({ iso, out: sitesOf(2), isPlain: true, limits });
  const [victim, good] = server.urls.map((url) => new URL(url));
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const hostile = Array.from({ length: clients }, (_, index) => behaveBadly(index, victim, end.signal));
  const [waits, memory] = [[], []];
  const start = performance.now();
  while (performance.now() - start < seconds * 1000) {
    const before = performance.now();
    const answer = await fetch(good, { headers: { range: 'bytes=0-1048575' } });
    if ((await answer.arrayBuffer()).byteLength !== 2 ** 20) throw new Error('a client got no answer');
    waits.push(performance.now() - before);
    memory.push(server.residentMegabytes());
    await wait(1000);
  }
  end.abort();
  await Promise.all(hostile);
  const part = Math.ceil(memory.length / 4);
  const [early, late] = [memory.slice(part, 2 * part), memory.slice(-part)].map((each) => Math.max(...each));
  waits.sort((one, other) => one - other);
  const after = server.residentMegabytes();
  await server.stop();
  // Makes the full test fail.
  if (late > 1.2 * early) process.exitCode = 1;
  return [
    [
      `serve: 1 MiB for good clients beside ${clients} bad ones, slowest of 100`,
      waits[Math.floor(waits.length * 0.99)],
    ],
    ['serve: memory, second quarter', undefined, `${early.toFixed(0)} MB resident`],
    ['serve: memory, last quarter', undefined, `${late.toFixed(0)} MB resident`, '≤ 1.2 × second quarter'],
    ['serve: memory after the clients have left', undefined, `${after.toFixed(0)} MB resident`],
  ];
}

/** Connects again as soon as the server has closed the connection, until the end. */
async function behaveBadly(index, url, signal) {
  const kinds = [slowHead, halfClosed, noRequest, slowReader, rangeStorm];
  const localAddress = `127.0.1.${1 + (index % addresses)}`;
  while (!signal.aborted) {
    const socket = connect({ host: url.hostname, port: url.port, localAddress, allowHalfOpen: true });
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const leave = () => socket.destroy();
    signal.addEventListener('abort', leave);
    const timer = kinds[index % kinds.length](socket, url);
    await closed;
    clearInterval(timer);
    signal.removeEventListener('abort', leave);
    if (!signal.aborted) await wait(200);
  }
}

function slowHead(socket) {
  socket.resume().write('GET /x');
  return setInterval(() => socket.write('y'), 2000);
}

function halfClosed(socket, url) {
  void once(socket, 'connect').then(
    () => socket.end(`GET ${url.pathname} HTTP/1.1\r\nHost: a\r\nRange: bytes=0-9\r\n\r\n`),
    () => undefined,
  );
}

function noRequest(socket) {
  socket.resume();
  return setInterval(() => socket.write('\r\n'), 2000);
}

function slowReader(socket, url) {
  socket.pause();
  socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return setInterval(() => socket.read(1024), 1000);
}

function rangeStorm(socket, url) {
  socket.resume();
  return setInterval(() => {
    const at = Math.floor(Math.random() * 2 ** 28);
    socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: a\r\nRange: bytes=${at}-${at}\r\n\r\n`);
  }, 500);
}
