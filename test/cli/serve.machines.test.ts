import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { realCoreosInstaller } from '../lab/coreos-installer.js';
import { liveIso } from '../media/support/live-iso.js';
import { ageKeys } from '../support/age-keys.js';
import { sno } from '../support/command.js';
import { describeWithIsos, isoFixture } from '../support/iso-fixtures.js';
import { selfSigned } from '../support/openssl.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';
import { curl, serving, urlsIn } from '../support/serving.js';
import { keyedSite } from './keyed-site.js';
import { scaledMs } from '../support/time-scale.js';

const config = 'bootstrap-in-place-for-live-iso.ign';

/** A site with its config; tests copy it. */
const made = { folder: '' };
beforeAll(async () => {
  const laid = await keyedSite();
  made.folder = laid();
  const args = ['create', 'single-node-ignition-config'];
  expect(sno(args, { cwd: made.folder })).toMatchObject({ code: 0 });
});

/** A folder with an ISO and the outputs of two sites below `out`. */
function fleet(iso = liveIso()): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'live.iso'), iso);
  for (const site of ['north-1', 'north-2']) {
    mkdirSync(join(folder, 'out', site), { recursive: true });
    copyFileSync(join(made.folder, config), join(folder, 'out', site, config));
  }
  return folder;
}

/** A live ISO with this many bytes appended. */
function largeIso(bytes: number): Buffer {
  return Buffer.concat([liveIso(), Buffer.alloc(bytes, 'a medium of some size ')]);
}

/** Number of sockets that a process has open, listening ones included. */
function openSockets(pid: number): number {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  return links.filter((link) => link.startsWith('socket:')).length;
}

/** An empty string for a file descriptor that was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

describeWith(['curl', 'openssl'], 'a server of media', () => {
  test('serves added sites and rejects revoked tokens while it is running', async () => {
    const folder = fleet();
    const { url, said } = await serving(folder, ['out']);
    const [first, second] = urlsIn(folder, url, ['out']).sites;
    const refused = (): boolean => curl(folder, first?.iso ?? '', '--head').status === 404;
    expect(refused()).toBe(false);

    renameSync(join(folder, 'out/north-2'), join(folder, 'out/south-1'));
    expect(sno(['serve', 'out', '--revoke', 'north-1'], { cwd: folder })).toMatchObject({ code: 0 });
    await expect.poll(refused).toBe(true);

    const [again, south] = urlsIn(folder, url, ['out']).sites;
    expect(curl(folder, again?.iso ?? '', '--head').status).toBe(200);
    expect(south?.name).toBe('south-1');
    expect(curl(folder, south?.iso ?? '', '--head').status).toBe(200);
    expect(curl(folder, second?.iso ?? '', '--head').status).toBe(404);
    expect(said()).not.toContain('error');
  });

  test('with --once consumes a token after a complete download in any number of parts', async () => {
    const folder = fleet();
    const first = await serving(folder, ['out', '--once', '--live-karg', 'quiet']);
    const [north, other] = urlsIn(folder, first.url, ['out']).sites;
    const iso = north?.iso ?? '';
    for (const range of ['100000-', '0-1000']) expect(curl(folder, iso, '--range', range).status).toBe(206);
    expect(curl(folder, iso, '--head').status).toBe(200);
    expect(curl(folder, iso, '--range', '1001-99999').status).toBe(206);
    expect(curl(folder, iso).status).toBe(404);
    expect(curl(folder, other?.iso ?? '', '--head').status).toBe(200);
    await first.stop();

    const { url } = await serving(folder, ['out', '--once']);
    const [same] = urlsIn(folder, url, ['out']).sites;
    expect(curl(folder, same?.iso ?? '').status).toBe(404);
  });

  test('decrypts outputs with an identity, and reports a missing one before it serves', async () => {
    const folder = scratchFolder();
    const site = join(folder, 'site');
    cpSync(made.folder, site, { recursive: true });
    const identity = join(folder, 'identity');
    writeFileSync(identity, ageKeys.ours.identity);
    writeFileSync(join(folder, 'live.iso'), liveIso());
    const sealed = ['--recipient', ageKeys.ours.recipient];
    const create = ['create', 'single-node-iso', '--dir', site, '--identity', identity, ...sealed];
    expect(
      sno([...create, '--encrypt-outputs', '--iso', 'live.iso', '--out', 'want.iso'], { cwd: folder }),
    ).toMatchObject({ code: 0 });
    expect(readdirSync(site)).not.toContain(config);

    const open = ['--dir', site, '--identity', identity, ...sealed];
    await expect(serving(folder, ['--dir', site, ...sealed])).rejects.toThrow('error[state/no-identity]');
    const { url } = await serving(folder, open);
    const [only] = urlsIn(folder, url, open).sites;

    expect(curl(folder, only?.iso ?? '').body.equals(readFileSync(join(folder, 'want.iso')))).toBe(true);
    const tokens = join(site, '.sno-install-serve.json');
    expect(readFileSync(tokens, 'utf8')).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----/);
    expect(statSync(tokens).mode & 0o777).toBe(0o600);
  });

  test('shows a certificate that is given, and the next one after SIGHUP', async () => {
    const folder = fleet();
    const certify = (): string => {
      const { keyPath, certPath, cert } = selfSigned();
      copyFileSync(keyPath, join(folder, 'tls.key'));
      copyFileSync(certPath, join(folder, 'tls.crt'));
      return cert;
    };
    const first = certify();
    const firstKey = readFileSync(join(folder, 'tls.key'));
    const { url, signal, said } = await serving(folder, [
      'out',
      '--tls-cert',
      'tls.crt',
      '--tls-key',
      'tls.key',
    ]);
    const [site] = urlsIn(folder, url, ['out']).sites;
    const trusts = (pem: string): boolean => {
      writeFileSync(join(folder, 'ca.pem'), pem);
      return curl(folder, site?.iso ?? '', '--head').status === 200;
    };
    expect(trusts(first)).toBe(true);

    const second = certify();
    expect([trusts(second), trusts(first)]).toEqual([false, true]);
    signal('SIGHUP');
    await expect.poll(() => trusts(second)).toBe(true);
    expect(trusts(first)).toBe(false);

    // A half-written certificate chain: the first certificate is complete, the next one is cut.
    writeFileSync(join(folder, 'tls.crt'), `${second}${second.slice(0, second.length / 2)}`);
    signal('SIGHUP');
    await expect.poll(said).toContain('error[media/serve-tls]');
    expect(trusts(second)).toBe(true);
    writeFileSync(join(folder, 'tls.crt'), first);
    writeFileSync(join(folder, 'tls.key'), firstKey);
    signal('SIGHUP');
    await expect.poll(() => trusts(first)).toBe(true);
  });

  test('serves five hundred concurrent range requests with the right bytes', async () => {
    const image = largeIso(32 * 1024 * 1024);
    const folder = fleet(image);
    const { url, pid } = await serving(folder, ['out', '--max-connections-per-client', '600']);
    const { sites, authority } = urlsIn(folder, url, ['out']);
    const wanted = curl(folder, sites[0]?.iso ?? '').body;
    const readers = 500;
    const length = 200_000;
    const bodies = await Promise.all(
      Array.from({ length: readers }, async (_, index) => {
        const from = Math.floor((index * (wanted.length - length)) / readers);
        const headers = { range: `bytes=${from}-${from + length - 1}` };
        const download = request(sites[index % 2]?.iso ?? '', {
          ca: authority?.pem,
          agent: false,
          headers,
        }).end();
        const [response] = (await once(download, 'response')) as [
          NodeJS.ReadableStream & { statusCode: number },
        ];
        const pieces: Buffer[] = [];
        for await (const piece of response) pieces.push(piece as Buffer);
        const isRight = Buffer.concat(pieces).equals(wanted.subarray(from, from + length));
        return `${response.statusCode} ${String(isRight)}`;
      }),
    );
    expect(new Set(bodies)).toEqual(new Set(['206 true']));
    expect(openFiles(pid)).toBeLessThan(100);
  });

  test('closes all files of interrupted and idle clients, and blocks no others', async () => {
    const folder = fleet(largeIso(64 * 1024 * 1024));
    const { url, pid, said } = await serving(folder, ['out', '--idle-timeout', '10s']);
    const { sites } = urlsIn(folder, url, ['out']);
    const iso = sites[0]?.iso ?? '';
    const sockets = openSockets(pid);
    expect(curl(folder, iso, '--head').status).toBe(200);
    const before = openFiles(pid);

    // A stopped client keeps its connection and reads nothing from it.
    const args = ['--silent', '--cacert', 'ca.pem', '--limit-rate', '10k', iso, '--output'];
    const parts = Array.from({ length: 20 }, (_, index) => `part-${index}`);
    const clients = parts.map((part) => spawn('curl', [...args, part], { cwd: folder, stdio: 'ignore' }));
    const [stopped, killed] = [clients.slice(0, 10), clients.slice(10)];
    const closed = clients.map((child) => once(child, 'close'));
    const sizeOf = (part: string): number =>
      statSync(join(folder, part), { throwIfNoEntry: false })?.size ?? 0;
    await expect
      .poll(() => parts.filter((part) => sizeOf(part) > 0).length, { timeout: scaledMs(20_000) })
      .toBe(20);
    expect(openSockets(pid) - sockets).toBe(20);
    for (const child of stopped) child.kill('SIGSTOP');
    for (const child of killed) child.kill('SIGKILL');

    expect(curl(folder, sites[1]?.iso ?? '', '--range', '0-99').status).toBe(206);
    await expect.poll(() => openSockets(pid), { timeout: scaledMs(60_000), interval: 200 }).toBe(sockets);
    await expect.poll(() => openFiles(pid)).toBeLessThanOrEqual(before);
    expect(said().match(/GET north-1\/live\.iso 200, .* cut off/g)?.length).toBe(20);
    for (const child of stopped) child.kill('SIGKILL');
    await Promise.all(closed);
  });

  test('finishes downloads after SIGTERM, and accepts no new clients', async () => {
    const folder = fleet(largeIso(24 * 1024 * 1024));
    const { url, stop, said } = await serving(folder, ['out']);
    const { sites } = urlsIn(folder, url, ['out']);
    const wanted = curl(folder, sites[0]?.iso ?? '').body;
    const args = [
      '--silent',
      '--cacert',
      'ca.pem',
      '--limit-rate',
      '12M',
      '--output',
      'slow.iso',
      sites[0]?.iso ?? '',
    ];
    const slow = spawn('curl', args, { cwd: folder, stdio: 'ignore' });
    const closed = once(slow, 'close');
    await expect
      .poll(() => statSync(join(folder, 'slow.iso'), { throwIfNoEntry: false })?.size ?? 0)
      .toBeGreaterThan(0);
    const code = stop();
    await expect.poll(() => curl(folder, sites[1]?.iso ?? '', '--head').status).toBe(0);
    expect(await closed).toEqual([0, null]);
    expect(await code).toBe(0);
    expect(readFileSync(join(folder, 'slow.iso')).equals(wanted)).toBe(true);
    expect(said()).not.toContain('cut off');
  });
});

const real = realCoreosInstaller();
if (real !== undefined || process.env['CI'] === undefined) {
  describeWithIsos('a live image of CoreOS that is served', (names) => {
    test.skipIf(real === undefined).each(names.filter((name) => name.includes('x86_64')))(
      'coreos-installer (needs test/lab/build-coreos-installer) finds the config of the site in %s',
      async (name) => {
        const folder = fleet(isoFixture(name));
        const { url } = await serving(folder, ['out']);
        const [site] = urlsIn(folder, url, ['out']).sites;
        expect(curl(folder, site?.iso ?? '', '--output', 'got.iso').status).toBe(200);
        const args = ['iso', 'ignition', 'show', join(folder, 'got.iso')];
        const shown = spawnSync(real ?? '', args, { maxBuffer: 64 * 1024 * 1024 });
        expect(shown.status).toBe(0);
        expect(shown.stdout.equals(readFileSync(join(made.folder, config)))).toBe(true);
      },
    );
  });
}

describeWith(['curl', 'openssl'], 'the page of serve', () => {
  test('requires a token, until it is revoked', async () => {
    const folder = fleet();
    const { url, said, stop } = await serving(folder, ['out']);
    const { page, sites } = urlsIn(folder, url, ['out']);
    const jar = ['--cookie-jar', 'jar', '--cookie', 'jar'];
    const paths = ['/sites', '/sites/events', '/sites/page.css', '/sites/page.js'];
    const unknownUrls = [
      ...paths.map((path) => url + path),
      `${url}/view/${sites[0]?.iso.split('/')[3] ?? ''}`,
    ];
    const refused = (): readonly number[] => unknownUrls.map((each) => curl(folder, each, ...jar).status);
    expect(refused()).toEqual([404, 404, 404, 404, 404]);

    const opened = curl(folder, page, ...jar, '--location', '--include');
    const text = opened.body.toString();
    expect(opened.status).toBe(200);
    expect(text).toMatch(/content-security-policy: default-src 'none'; /);
    expect(text).not.toMatch(/unsafe|nonce/);
    expect(text).toContain('<tr data-site="north-1" data-phase="made">');
    const secrets = [page.split('/')[4] ?? '', ...sites.map(({ iso }) => iso.split('/')[3] ?? '')];
    expect(secrets.filter((secret) => secret.length !== 32 || text.includes(secret))).toEqual([]);
    expect(paths.slice(2).map((path) => curl(folder, url + path, ...jar).status)).toEqual([200, 200]);
    const events = curl(folder, `${url}/sites/events`, ...jar, '--max-time', '1').body.toString();
    expect(events).toMatch(
      /^retry: 3000\n\nevent: rollouts\ndata: \[\]\n\nid: \w+\.2\nevent: all\ndata: \[\{"name":"north-1"/,
    );
    const tokens = [
      page.split('/').at(-1) ?? '',
      readFileSync(join(folder, 'jar'), 'utf8').split('\t').at(-1) ?? '',
    ];
    const revoked = sno(['serve', 'out', '--revoke-page'], { cwd: folder });
    expect(revoked.stdout).toBe(
      'Revoked the URL of the status page. A running server applies this within a second.\n',
    );
    await expect.poll(refused).toEqual([404, 404, 404, 404, 404]);
    expect(curl(folder, page).status).toBe(404);
    expect(curl(folder, sites[0]?.iso ?? '', '--head').status).toBe(200);
    await stop();
    expect(said()).toMatch(/ GET page 200, /);
    expect(tokens.filter((token) => token.trim() === '' || said().includes(token.trim()))).toEqual([]);
  });
});
