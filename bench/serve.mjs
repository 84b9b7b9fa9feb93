import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import { median, scratch } from './measuring.mjs';
import { nginxOver, served } from './serve-servers.mjs';
import { imageBytes, liveImage, sitesOf } from './serve-sites.mjs';

const rounds = 7;

/** Alternates downloads from `serve` and from nginx, which serves the same bytes from a file, with curl as the client. */
export async function throughputOfServe() {
  const iso = await liveImage();
  return [
    ...(await besideNginx({ iso, isPlain: false, over: 'over TLS' })),
    ...(await besideNginx({ iso, isPlain: true, over: 'without TLS' })),
  ];
}

async function besideNginx({ iso, isPlain, over }) {
  const ours = await served({ iso, out: sitesOf(1), isPlain });
  const root = join(scratch, isPlain ? 'plain' : 'tls');
  mkdirSync(root);
  downloaded(ours.urls[0], ['--output', join(root, 'medium.iso')]);
  const theirs = await nginxOver(root, { isPlain });
  const kinds = [
    ['whole downloads', wholeDownload],
    ['ranges of 8 MiB', (url) => ranges(url, 8 * 2 ** 20, 64)],
  ];
  const rows = kinds.flatMap(([name, download]) => {
    const servers = [
      ['nginx', theirs],
      ['serve', ours],
    ];
    for (const [, { urls }] of servers) download(urls[0]);
    const turns = Array.from({ length: rounds }, () => servers.map(([, each]) => timed(each, download)));
    return servers.map(([title, server], index) => {
      const figure = figureOf(turns.map((turn) => turn[index]));
      const ratio = median(turns.map((turn) => turn[index].rate / turn[0].rate));
      return [
        `${title}: ${name} ${over}`,
        undefined,
        server === theirs ? figure : `${figure}: ${ratio.toFixed(2)} × nginx`,
        ...(server === ours ? ['≥ 0.7 × nginx'] : []),
      ];
    });
  });
  for (const server of [ours, theirs]) await server.stop();
  return rows;
}

function figureOf(turns) {
  const [rate, cpu] = [
    median(turns.map((turn) => turn.rate)),
    median(turns.map((turn) => turn.cpuOfGigabyte)),
  ];
  return `${rate.toFixed(0)} MB/s, ${cpu.toFixed(0)} ms of CPU per GB`;
}

/** Rate in MB/s, and the server's CPU time per 10^9 bytes. */
function timed(server, download) {
  const [cpu, start] = [server.cpuMs(), performance.now()];
  const bytes = download(server.urls[0]);
  const seconds = (performance.now() - start) / 1000;
  return { rate: bytes / seconds / 10 ** 6, cpuOfGigabyte: (server.cpuMs() - cpu) / (bytes / 10 ** 9) };
}

function wholeDownload(url) {
  return downloaded(url, ['--output', '/dev/null']);
}

/** Sequential range requests on one connection, as virtual media send them. */
function ranges(url, bytes, count) {
  const list = Array.from({ length: count }, (_, index) => {
    const from = (index * 7919 * 4096) % (imageBytes - bytes);
    return `url = "${url}"\nrange = ${from}-${from + bytes - 1}\noutput = /dev/null\ninsecure\nsilent\nfail\nwrite-out = "%{size_download}\\n"\n`;
  });
  const path = join(scratch, 'ranges');
  writeFileSync(path, list.join('next\n'));
  return sumOf(spawnSync('curl', ['--config', path], { encoding: 'utf8' }));
}

function downloaded(url, args) {
  const all = ['--silent', '--fail', '--insecure', '--write-out', '%{size_download}\\n', ...args, url];
  return sumOf(spawnSync('curl', all, { encoding: 'utf8' }));
}

function sumOf({ status, stdout, stderr }) {
  if (status !== 0) throw new Error(`curl exited with ${status}: ${stderr}`);
  return stdout
    .trim()
    .split('\n')
    .reduce((sum, size) => sum + Number(size), 0);
}

/** Startup time and memory of the server by number of sites. */
export async function sitesOfServe() {
  const iso = await liveImage();
  const rows = [];
  for (const count of [1, 1000, 10_000]) rows.push(...(await startOf(iso, count)));
  return rows;
}

async function startOf(iso, count) {
  const out = sitesOf(count);
  const turns = [];
  for (let round = 0; round < 3; round += 1) {
    const server = await served({ iso, out, isPlain: false });
    turns.push({ ms: server.startMs, idle: server.residentMegabytes() });
    if (round === 2) turns.push({ asked: askedFor(server) });
    await server.stop();
  }
  const [ms, idle, [asked]] = ['ms', 'idle', 'asked'].map((key) => turns.flatMap((turn) => turn[key] ?? []));
  return [
    [`serve ${count} sites: start`, median(ms), `${median(idle).toFixed(0)} MB resident`],
    [
      `serve ${count} sites: ${asked.sites} requested`,
      undefined,
      `${asked.megabytes.toFixed(0)} MB resident`,
    ],
  ];
}

function askedFor(server) {
  const urls = server.urls.slice(0, 100);
  const path = join(scratch, 'heads');
  writeFileSync(
    path,
    urls.map((url) => `url = "${url}"\nhead\ninsecure\nsilent\nfail\noutput = /dev/null\n`).join('next\n'),
  );
  sumOf(spawnSync('curl', ['--config', path], { encoding: 'utf8' }));
  return { sites: urls.length, megabytes: server.residentMegabytes() };
}
