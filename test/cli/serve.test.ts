import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { beforeAll, expect, onTestFinished, test } from 'vitest';

import { problem, type Problem } from '../../src/core/problem.js';
import { failure, success } from '../../src/core/result.js';
import { firstMedium } from '../../src/cli/serve/first-medium.js';
import { handleHangups } from '../../src/cli/serve/hangups.js';
import { SourceUnavailable, servedBytes } from '../../src/serve/answers/served-file.js';
import type { MediaMaker } from '../../src/serve/media/site-media.js';
import { liveIso } from '../media/support/live-iso.js';
import { snapshot } from '../support/command.js';
import { snoInProcess } from '../support/in-process.js';
import { freePort } from '../support/ports.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';
import { curl, serving, urlsIn } from '../support/serving.js';
import { keyedSite } from './keyed-site.js';

const config = 'bootstrap-in-place-for-live-iso.ign';

/** The config of a site, and its ISO from `create single-node-iso`. */
const made = { folder: '' };
beforeAll(async () => {
  const laid = await keyedSite();
  made.folder = laid({ 'live.iso': liveIso() });
  const args = ['--iso', 'live.iso', '--out', 'want.iso', '--live-karg', 'quiet'];
  expect(await snoInProcess(['create', 'single-node-iso', ...args], { cwd: made.folder })).toMatchObject({
    code: 0,
  });
});

/** A folder with an ISO and the outputs of two sites below `out`. */
function fleet(): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'live.iso'), liveIso());
  for (const site of ['north-1', 'north-2']) {
    mkdirSync(join(folder, 'out', site), { recursive: true });
    copyFileSync(join(made.folder, config), join(folder, 'out', site, config));
  }
  return folder;
}

const want = (): Buffer => readFileSync(join(made.folder, 'want.iso'));

describeWith(['curl', 'openssl'], 'serve', () => {
  test('sends the image that create writes, complete and in any range, to clients with the token', async () => {
    const folder = fleet();
    const { url, said, stop } = await serving(folder, ['out', '--live-karg', 'quiet']);
    const { sites } = urlsIn(folder, url, ['out']);
    const [first, second] = sites;
    const iso = first?.iso ?? '';

    expect(sites.map(({ name }) => name)).toEqual(['north-1', 'north-2']);
    const whole = curl(folder, iso);
    expect(whole).toMatchObject({ code: 0, status: 200 });
    expect(whole.body.equals(want())).toBe(true);
    expect(curl(folder, second?.iso ?? '').body.equals(want())).toBe(true);

    const place = fc.nat(want().length - 1);
    fc.assert(
      fc.property(place, place, (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const cut = curl(folder, iso, '--range', `${from}-${to}`);
        expect(cut.status).toBe(206);
        expect(cut.body.equals(want().subarray(from, to + 1))).toBe(true);
      }),
      { numRuns: 12 },
    );

    // An interrupted download continues.
    writeFileSync(join(folder, 'part.iso'), want().subarray(0, 70_001));
    expect(curl(folder, iso, '--continue-at', '-', '--output', 'part.iso').status).toBe(206);
    expect(readFileSync(join(folder, 'part.iso')).equals(want())).toBe(true);

    expect(curl(folder, iso, '--head').status).toBe(200);
    expect(curl(folder, iso, '--header', `If-None-Match: ${whole.etag}`).status).toBe(304);
    expect(curl(folder, iso, '--header', 'If-Range: "other"', '--range', '0-9').body.length).toBe(
      want().length,
    );
    expect(await stop()).toBe(0);

    const tokens = sites.map((site) => site.iso.split('/')[3] ?? '');
    expect(said()).toMatch(/ 127\.0\.0\.1 GET north-1\/live\.iso 200, \d+ bytes in \d+ ms\n/);
    expect(tokens.filter((token) => token === '' || said().includes(token))).toEqual([]);
  });

  test('answers 404 with the same text to all other requests', async () => {
    const folder = fleet();
    rmSync(join(folder, 'out/north-2', config));
    const { url } = await serving(folder, ['out']);
    const [first, second] = urlsIn(folder, url, ['out']).sites;
    const iso = first?.iso ?? '';
    const answers = [
      `${url}/`,
      `${url}/live.iso`,
      `${url}/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/live.iso`,
      iso.toLowerCase(),
      iso.slice(0, -1),
      iso.replace('live.iso', ''),
      iso.replace('live.iso', 'auth/kubeconfig'),
      iso.replace('live.iso', '..%2flive.iso'),
      `${url}/live/0000/vmlinuz`,
      second?.iso ?? '',
    ].map((each) => curl(folder, each, '--path-as-is', '--include'));
    answers.push(curl(folder, iso, '--include', '--request', 'DELETE'));

    const texts = answers.map(({ body }) => body.toString().replace(/^date:.*\r\n/im, ''));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/^HTTP\/1\.1 404 .*\r\n\r\nnot found\n$/s);
  });
});

test('reports sites that cannot be served, and generates no tokens for them', async () => {
  const folder = fleet();
  const before = snapshot(folder);
  const cases: readonly (readonly [args: readonly string[], code: number, said: string])[] = [
    [['out'], 2, '--iso is required'],
    [['out', '--iso', 'x', '--listen', 'here:1'], 1, 'error[media/serve-address]: --listen is "here:1"'],
    [
      ['out', '--iso', 'x', '--url', 'http://a'],
      1,
      'error[media/serve-address]: --url must start with https://',
    ],
    [['out', '--iso', 'x', '--url', 'https://a/b'], 1, '--url contains a path'],
    [['out', '--iso', 'x', '--idle-timeout', 'soon'], 2, '--idle-timeout is "soon"'],
    [
      ['out', '--iso', 'x', '--tls-cert', 'x'],
      1,
      'error[media/serve-tls]: --tls-cert and --tls-key must be used together',
    ],
    [['out', '--revoke', 'south-1'], 1, 'error[media/serve-sites]: --revoke south-1: site does not exist'],
    [['nowhere', '--print-urls'], 2, 'cannot be read'],
    [['out', 'out', '--print-urls'], 1, 'two sites have the name north-1'],
  ];
  for (const [args, code, said] of cases) {
    const result = await snoInProcess([
      'serve',
      '--dir',
      folder,
      ...args.map((each) => (each === 'out' ? join(folder, each) : each)),
    ]);
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(said) as string });
  }
  expect(snapshot(folder)).toEqual(before);
});

test('keeps an invalid token file', async () => {
  const folder = fleet();
  const path = join(folder, '.sno-install-serve.json');
  const args = ['serve', '--dir', folder, '--print-urls', join(folder, 'out')];
  for (const text of ['', '{}', '{"version":1}']) {
    writeFileSync(path, text);
    expect((await snoInProcess(args)).stderr).toContain('error[media/serve-state]');
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
  rmSync(path);
  expect((await snoInProcess(args)).code).toBe(0);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"version": 1', '"version": 2'));
  expect((await snoInProcess(args)).stderr).toContain('it has version 2, expected 1');
});

test('skips a folder that cannot be served, and logs later problems as JSON', async () => {
  const folder = fleet();
  for (const [name, text] of [
    ['a-broken', '{ "ignition": '],
    ['b-unmade', undefined],
  ] as const) {
    mkdirSync(join(folder, 'out', name));
    if (text !== undefined) writeFileSync(join(folder, 'out', name, config), text);
  }
  const args = ['out', '--http', '--live-karg', 'quiet', '--output', 'json'];
  const { url, output, said, stop } = await serving(folder, args);
  const { problems, comparesMedia } = JSON.parse(output()) as {
    problems: readonly { severity: string; code: string }[];
    comparesMedia: boolean;
  };
  expect(comparesMedia).toBe(false);
  expect(problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
    'warning media/serve-plain',
    'warning media/serve-unmade',
    'warning review/not-a-config',
  ]);

  const [broken, unmade, sound] = urlsIn(folder, url, ['out', '--http']).sites;
  const statuses: number[] = [];
  for (const site of [broken, unmade, sound]) {
    const answer = await fetch(site?.iso ?? '');
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([404, 404, 200]);
  expect(await stop()).toBe(0);
  const lines = said()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { problem?: { code: string }; status?: number });
  expect(lines.map(({ problem, status }) => problem?.code ?? status)).toEqual([
    'review/not-a-config',
    404,
    'media/serve-sites',
    404,
    200,
  ]);

  rmSync(join(folder, 'out/north-1'), { recursive: true });
  rmSync(join(folder, 'out/north-2'), { recursive: true });
  const none = await snoInProcess([
    'serve',
    '--dir',
    folder,
    '--iso',
    join(folder, 'live.iso'),
    join(folder, 'out'),
  ]);
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('review/not-a-config') as string });
});

test('reports the number of sites that cannot be served, and starts with the others', async () => {
  const sites = Array.from({ length: 120 }, (_, index) => ({
    name: `site-${index}`,
    dir: join(made.folder, '.'),
    generation: 0,
  }));
  const tried: string[] = [];
  const media = (isSound: (name: string) => boolean): MediaMaker => ({
    of: ({ name }) => {
      tried.push(name);
      const medium = { iso: servedBytes(Buffer.from('x')), overlay: () => Promise.reject(new Error('none')) };
      return Promise.resolve(
        isSound(name) ? success(medium) : failure(problem('media/serve-sites', `${name} is not sound`)),
      );
    },
  });
  const texts = ({ problems }: { problems: readonly Problem[] }): readonly string[] =>
    problems.map(({ severity, message }) => `${severity} ${message}`);

  // The first sixty sites fail; all others succeed.
  const some = await firstMedium(
    media((name) => Number(name.slice(5)) >= 60),
    sites,
  );
  expect(some).toMatchObject({ ok: true });
  expect(tried.at(-1)).toBe('site-61');

  tried.length = 0;
  const none = await firstMedium(
    media(() => false),
    sites,
  );
  expect([tried.length, tried[0], tried.at(-1), new Set(tried).size]).toEqual([50, 'site-0', 'site-119', 50]);
  expect(none.ok && texts({ problems: none.warnings })).toEqual([
    ...tried.slice(0, 5).map((name) => `warning ${name} is not sound`),
    'warning 50 of 120 sites were checked and none can be served; 70 were not checked',
  ]);

  const few = await firstMedium(
    media(() => false),
    sites.slice(0, 2),
  );
  expect(!few.ok && texts(few)).toEqual([
    'error site-0 is not sound',
    'error site-1 is not sound',
    'error 2 of 2 sites were checked and none can be served',
  ]);

  const silent = problem('store/unreachable', 'the store does not answer');
  const unavailable = await firstMedium(
    { of: () => Promise.reject(new SourceUnavailable([silent])) },
    sites.slice(0, 1),
  );
  expect(!unavailable.ok && texts(unavailable)).toEqual([
    'error the store does not answer',
    'error 1 of 1 site were checked and none can be served',
  ]);
});

test('stops at a signal while the image is hashed, and before it is ready', async () => {
  const folder = fleet();
  const listening: string[] = [];
  const onListener = (name: string | symbol): void => {
    if (name === 'SIGHUP' || name === 'SIGTERM') listening.push(name);
    if (name === 'SIGTERM') setImmediate(() => process.emit('SIGTERM', 'SIGTERM'));
  };
  process.on('newListener', onListener);
  onTestFinished(() => {
    process.off('newListener', onListener);
  });
  const args = ['serve', '--dir', folder, '--listen', `127.0.0.1:${await freePort()}`, join(folder, 'out')];

  // The SIGTERM handler is added after the image is read, and this image does not exist.
  expect(await snoInProcess([...args, '--iso', join(folder, 'no.iso')])).not.toMatchObject({ code: 0 });
  expect(listening).toEqual(['SIGHUP']);

  const stopped = await snoInProcess([...args, '--iso', join(folder, 'live.iso')]);
  expect(listening).toEqual(['SIGHUP', 'SIGHUP', 'SIGTERM']);
  expect(stopped).toMatchObject({ code: 0, stdout: '' });
});

test('handles an early SIGHUP when the server is ready', () => {
  const hangup = handleHangups();
  onTestFinished(hangup.release);
  let renewals = 0;
  process.emit('SIGHUP', 'SIGHUP');
  hangup.take(() => {
    renewals += 1;
  });
  expect(renewals).toBe(1);
  process.emit('SIGHUP', 'SIGHUP');
  expect(renewals).toBe(2);
});

test('serves plain HTTP on request, with a warning', async () => {
  const folder = fleet();
  const { url, said, output } = await serving(folder, ['out', '--http', '--live-karg', 'quiet']);
  const [site] = urlsIn(folder, url, ['out', '--http']).sites;

  expect(said()).toContain('warning[media/serve-plain]');
  expect(output()).toContain('Outdated media are not recognized');
  const answer = await fetch(site?.iso ?? '');
  expect(Buffer.from(await answer.arrayBuffer()).equals(want())).toBe(true);
});

const page = readFileSync('docs/serve.md', 'utf8');

describeWith(['systemd-analyze'], 'the unit of docs/serve.md', () => {
  test('is accepted by systemd', () => {
    const folder = scratchFolder();
    const [, unit = ''] = /```ini\n([\s\S]*?)```/.exec(page) ?? [];
    const path = join(folder, 'sno-install-serve.service');
    writeFileSync(path, unit.replace('/usr/local/bin/sno-install', process.execPath));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], {
      encoding: 'utf8',
    });
    expect({
      status,
      about: stderr.split('\n').filter((line) => line.includes('sno-install-serve')),
    }).toEqual({
      status: 0,
      about: [],
    });
  });
});

test('docs/serve.md lists exactly its options, with their defaults', async () => {
  const { stdout } = await snoInProcess(['serve', '--help']);
  const [own = ''] = stdout.split('Global Options:');
  const options = (text: string): ReadonlySet<string> => new Set(text.match(/(?<=[\s`])--[a-z][a-z-]+/g));
  const hostileArguments = [
    '--dir',
    '--identity',
    '--output',
    '--help',
    '--read-only',
    '--cap-drop',
    '--user',
    '--publish',
    '--volume',
    '--renew',
    '--live-karg',
  ];
  const shown = (text: string): readonly string[] =>
    [...options(text)].filter((name) => !hostileArguments.includes(name)).sort();
  expect(shown(page)).toEqual(shown(own));
});
