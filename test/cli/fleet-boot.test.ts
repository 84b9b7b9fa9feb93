import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, test } from 'vitest';

import { encryptAge } from '../../src/formats/age.js';
import { fleetFolder, fleetText } from '../fleet/files.js';
import { account, fakeBmc } from '../remote/redfish/fake-bmc.js';
import { ageKeys } from '../support/age-keys.js';
import { bmcLogins } from '../support/bmc-logins.js';
import { snapshot } from '../support/command.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { selfSigned } from '../support/openssl.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';
import type { PrintedUrls } from '../support/serving.js';

const page = readFileSync('docs/fleet-boot.md', 'utf8');

let identity = '';
let credentials = '';
beforeAll(async () => {
  identity = join(scratchFolder(), 'key.txt');
  writeFileSync(identity, ageKeys.ours.identity);
  credentials = await bmcLogins();
});

const block = '\n  address: ${bmc}\n  credentials: bmc.yaml.age\n  plainHttp: true\n';

function bootFolder(bmcs: readonly string[], changes: Readonly<Record<string, string>> = {}): string {
  const rows = bmcs.map((bmc, index) => `north-${index + 1},192.168.126.1${index},${bmc}\n`);
  return fleetFolder({
    'fleet.yaml': fleetText(`boot:${block}`),
    'sites.csv': `name,ip,bmc\n${rows.join('')}`,
    'bmc.yaml.age': credentials,
    ...changes,
  });
}

/** A fleet with a command for the passwords of its BMCs. */
function loginText(command: string): string {
  const login = `  username: ${account.name}\n  password: \${word}\n`;
  return fleetText(
    `secrets:\n  word: {command: [${command}]}\nboot:${block.replace('  credentials: bmc.yaml.age\n', login)}`,
  );
}

const at = '2026-01-01T00:00:00Z';
const url = ['--media-url', 'https://media.example.com/{site}/live.iso'];

function boot(dir: string, args: readonly string[]): Promise<CommandOutput> {
  return snoInProcess(['fleet', 'boot', '--dir', dir, '--identity', identity, ...args]);
}

describe('fails before the first request to a BMC', () => {
  const cases: readonly {
    name: string;
    args?: readonly string[];
    bmcs?: readonly string[];
    changes?: Readonly<Record<string, string>>;
    want: readonly string[];
    code?: number;
  }[] = [
    { name: 'no block', changes: { 'fleet.yaml': fleetText() }, want: ['boot/missing'] },
    {
      name: 'addresses that are none',
      bmcs: ['ipmi://192.0.2.1', 'https://root:calvin@192.0.2.2', '192.0.2.3/ui'],
      want: ['boot/address 2:24', 'boot/address 3:24', 'boot/address 4:24'],
    },
    {
      name: 'no TLS where that is not wanted',
      bmcs: ['http://192.0.2.1'],
      changes: { 'fleet.yaml': fleetText(`boot:${block.replace('true', 'false')}`) },
      want: ['boot/address 2:24'],
    },
    {
      name: 'one BMC of two sites',
      bmcs: ['192.0.2.1', 'https://192.0.2.1/'],
      want: ['fleet/shared-value 3:24'],
    },
    {
      name: 'one machine of two sites, and one whose BMC has others',
      bmcs: [
        'redfish://192.0.2.1/redfish/v1/Systems/1',
        'https://192.0.2.1:443/redfish/v1/Systems/1/',
        '192.0.2.1',
      ],
      want: ['fleet/shared-value 3:24', 'fleet/shared-value 4:24'],
    },
    {
      name: 'the BMC of a site that is not meant',
      args: [...url, '--only', 'north-2'],
      bmcs: ['192.0.2.1', '192.0.2.1'],
      want: ['fleet/shared-value 3:24'],
    },
    {
      name: 'a cell without an address',
      bmcs: ['192.0.2.1', ''],
      want: ['fleet/variable 3:24'],
    },
    {
      name: 'a column of passwords',
      changes: { 'sites.csv': 'name,ip,bmc,bmcPassword\nnorth-1,192.168.126.10,192.0.2.1,calvin\n' },
      want: ['boot/password 1:13'],
    },
    {
      name: 'fingerprints that are none, and authorities',
      changes: { 'fleet.yaml': fleetText(`boot:${block}  certificate: "sha256:12"\n`) },
      want: ['boot/certificate 8:16'],
    },
    {
      name: 'authorities that are none',
      changes: { 'fleet.yaml': fleetText(`boot:${block}  authorities: sites.csv\n`) },
      want: ['boot/authorities 8:16'],
    },
    {
      name: 'credentials as plain text',
      changes: { 'bmc.yaml.age': JSON.stringify({ '*': { username: account.name, password: 'x' } }) },
      want: ['boot/credentials'],
    },
    {
      name: 'no such file of credentials',
      changes: { 'fleet.yaml': fleetText(`boot:${block.replace('bmc.yaml', 'x')}`) },
      want: ['boot/credentials'],
    },
    {
      name: 'no credentials at all',
      changes: { 'fleet.yaml': fleetText('boot:\n  address: ${bmc}\n') },
      want: ['boot/credentials'],
    },
    {
      name: 'credentials without a password',
      args: ['--credentials-command', 'echo "{north-1: {username: a}}"', ...url],
      want: ['boot/credentials'],
    },
    {
      name: 'a password in fleet.yaml',
      changes: { 'fleet.yaml': fleetText('boot: {address: "${bmc}", username: a, password: calvin}\n') },
      want: ['boot/password 4:50'],
    },
    {
      name: 'a password without a user',
      changes: { 'fleet.yaml': fleetText('boot: {address: "${bmc}", password: calvin}\n') },
      want: ['boot/credentials 4:37'],
    },
    {
      name: 'a password and a file',
      changes: { 'fleet.yaml': fleetText(`boot:${block}  username: a\n  password: calvin\n`) },
      want: ['boot/credentials 9:13'],
    },
    {
      name: 'a command that fails',
      changes: { 'fleet.yaml': loginText('sh, -c, "echo calvin >&2; exit 1"') },
      want: ['fleet/secret 5:3'],
    },
    {
      name: 'a command with an unknown variable',
      changes: { 'fleet.yaml': loginText('echo, "${nmae}"') },
      want: ['fleet/variable 5:26'],
    },
    {
      name: 'credentials of others',
      args: ['--credentials-command', 'echo "{south-*: {username: a, password: b}}"', ...url],
      bmcs: ['192.0.2.1', '192.0.2.2'],
      want: ['boot/credentials 2:24', 'boot/credentials 3:24'],
    },
    {
      name: 'a medium with more time than its site',
      args: [...url, '--media-timeout', '15m'],
      want: ['usage/unknown-argument'],
      code: 2,
    },
    { name: 'no images', args: [], want: ['usage/unknown-argument'], code: 2 },
    {
      name: 'one image for all',
      args: ['--media-url', 'https://media.example.com/live.iso'],
      want: ['boot/image'],
    },
    { name: 'a list of others', args: ['--media', 'urls.json'], want: ['boot/image 2:24'] },
    { name: 'a list of none', args: ['--media', 'fleet.yaml'], want: ['boot/image'] },
    { name: 'a broken record', changes: { 'out/boot.json': '{"sites": {}}' }, want: ['boot/record'] },
    {
      name: 'numbers and times that are none',
      args: [
        '--jobs',
        '0',
        '--timeout',
        '60',
        '--site-timeout',
        'x',
        '--media-timeout',
        '0s',
        '--eject-after',
        '0s',
        '--check',
        '--eject',
      ],
      want: [...Array.from({ length: 5 }, () => 'usage/unknown-argument'), 'usage/conflicting-options'],
      code: 2,
    },
  ];
  test.each(cases)('$name', async ({ args = url, bmcs = ['192.0.2.1'], changes = {}, want, code = 1 }) => {
    const others = '{"sites": [{"name": "north-9", "url": "https://192.0.2.1/live.iso"}]}';
    const dir = bootFolder(bmcs, { 'urls.json': others, ...changes });
    const named = args.map((each) => (/^\w+\.(?:json|yaml)$/.test(each) ? join(dir, each) : each));
    const printed = await boot(dir, [...named, '--output', 'json']);

    const { problems } = JSON.parse(printed.stdout) as {
      problems: readonly { code: string; at?: { line?: number; col?: number } }[];
    };
    const lines = problems.map((each) =>
      [each.code, ...(each.at?.line === undefined ? [] : [`${each.at.line}:${each.at.col ?? 0}`])].join(' '),
    );
    expect([printed.code, lines]).toEqual([code, want]);
    expect((await boot(dir, named)).stderr).not.toContain('calvin');
    expect(printed.stdout).not.toContain('calvin');
  });
});

describe('sites are booted', () => {
  it('with a password that a command prints for each site', async () => {
    const bmc = await fakeBmc();
    const command = (word: string): string => `sh, -c, "[ $1 = north-1 ] && echo ${word}", sh, "\${name}"`;
    const dir = bootFolder([bmc.origin], { 'fleet.yaml': loginText(command(account.password)) });
    const { code, stdout, stderr } = await boot(dir, url);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\n1 site: 1 booted\n/);
    writeFileSync(join(dir, 'fleet.yaml'), loginText('no-such-program'));
    expect((await boot(dir, [...url, '--dry-run'])).code).toBe(0);
  });

  it('once, with a record without secrets; their media are ejected afterwards', async () => {
    const bmcs = await Promise.all([fakeBmc(), fakeBmc({ isOn: true })]);
    const dir = bootFolder(bmcs.map(({ origin }) => origin));

    const dry = await boot(dir, [...url, '--dry-run']);
    expect(dry.stdout).toMatch(/\n2 sites: 2 would be booted\n$/);
    expect(bmcs.flatMap(({ writes }) => writes)).toEqual([]);

    const first = await boot(dir, url);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(/\n2 sites: 2 booted\n/);
    expect(bmcs.map(({ state }) => [state.power, state.images[1]])).toEqual([
      ['On', 'https://media.example.com/north-1/live.iso'],
      ['On', 'https://media.example.com/north-2/live.iso'],
    ]);
    const record = snapshot(dir)['out/boot.json'] ?? '';
    expect(record).toMatch(/^600 /);
    expect(record).not.toMatch(/media\.example|pa55word/);

    const writes = bmcs.map((bmc) => bmc.writes.length);
    const second = await boot(dir, url);
    expect(second.stdout).toMatch(/\n2 sites: 2 skipped\n$/);
    expect(bmcs.map((bmc) => bmc.writes.length)).toEqual(writes);

    const ejected = await boot(dir, ['--eject', '--only', 'north-2']);
    expect(ejected.stdout).toMatch(/\n1 site: 1 ejected\n$/);
    expect(bmcs.map(({ state }) => state.images[1] === '')).toEqual([false, true]);
    expect((await boot(dir, ['--eject', '--only', 'north-2'])).stdout).toMatch(/ejected at/);

    const again = await boot(dir, [...url, '--again', '--only', 'north-2', '--eject-after', '1s']);
    expect(again.stdout).toMatch(/\n1 site: 1 ejected\n$/);
    expect(bmcs.map((bmc) => bmc.state.images[1] === '')).toEqual([false, true]);
    expect(bmcs[1].writes.filter((each) => each.includes('ForceOff'))).toHaveLength(2);
  });

  it('from the images that serve lists', async () => {
    const bmc = await fakeBmc();
    const config = 'out/north-1/bootstrap-in-place-for-live-iso.ign';
    const dir = bootFolder([bmc.origin], { [config]: '{"ignition":{"version":"3.2.0"}}' });
    const base = ['--url', 'https://media.example.com:8443', '--output', 'json'];
    const listed = await snoInProcess(['serve', '--print-urls', '--dir', dir, ...base, join(dir, 'out')]);
    writeFileSync(join(dir, 'urls.json'), listed.stdout);
    const { sites } = JSON.parse(listed.stdout) as PrintedUrls;

    expect(await boot(dir, ['--media', join(dir, 'urls.json')])).toMatchObject({ code: 0, stderr: '' });
    expect(bmc.state.images[1]).toBe(sites[0]?.iso);
    expect(bmc.state.images[1]).toMatch(/^https:\/\/media\.example\.com:8443\/.*\.iso$/);
  });

  it('which an earlier run began to start, are left alone where they were off and run', async () => {
    const [running, off, restarted, other] = [{ isOn: true }, {}, { isOn: true }, { isOn: true }] as const;
    const bmcs = await Promise.all([running, off, restarted, other].map((odd) => fakeBmc(odd)));
    const origins = bmcs.map(({ origin }) => origin);
    const sites = origins.map((bmc, index) => [
      `north-${index + 1}`,
      { reached: 'starting', at, bmc: index === 3 ? 'https://192.0.2.1' : bmc, wasOff: index !== 2 },
    ]);
    const record = JSON.stringify({ version: 1, sites: Object.fromEntries(sites) as unknown });
    const dir = bootFolder(origins, { 'out/boot.json': record });

    const first = await boot(dir, url);
    expect(first.stdout).toMatch(/north-1 .* started by an earlier run\n/);
    expect(first.stdout.match(/started by an earlier run/g)).toHaveLength(1);
    expect(first.stderr).toContain(
      'the BMC of north-3: an earlier run was stopped while it started the machine, which may run by now',
    );
    expect(bmcs.map(({ writes }) => writes.length > 0)).toEqual([false, true, false, true]);

    writeFileSync(join(dir, 'out/boot.json'), record);
    await boot(dir, [...url, '--again', '--only', 'north-1', '--only', 'north-3']);
    expect([0, 2].map((index) => bmcs[index]?.writes.length === 0)).toEqual([false, false]);
  });

  it('and a start that was refused is none in the next run', async () => {
    const bmc = await fakeBmc({ isOn: true, resets: ['ForceRestart', 'On'], refusesRestarts: true });
    const dir = bootFolder([bmc.origin]);
    const runs = [await boot(dir, url), await boot(dir, url), await boot(dir, [...url, '--again'])];

    expect(bmc.writes.filter((each) => each.includes('ForceRestart'))).toHaveLength(3);
    expect(runs.map(({ code, stdout }) => [code, stdout.match(/^1 site: .*$/m)?.[0]])).toEqual(
      runs.map(() => [1, '1 site: 1 failed']),
    );
  });

  it('and a renamed site is refused, because its machine may run a cluster', async () => {
    const bmc = await fakeBmc();
    const dir = bootFolder([bmc.origin]);
    expect((await boot(dir, url)).code).toBe(0);
    const writes = bmc.writes.length;
    writeFileSync(join(dir, 'sites.csv'), `name,ip,bmc\nrenamed-1,192.168.126.10,${bmc.origin}\n`);
    for (const args of [url, [...url, '--again'], [...url, '--dry-run']]) {
      const { code, stderr } = await boot(dir, args);
      expect(code).toBe(1);
      expect(stderr).toContain(
        'error[boot/other-site]: renamed-1: its machine was booted as the site north-1',
      );
      expect(stderr).toContain('fleet reinstall renamed-1');
    }
    expect(bmc.writes.length).toBe(writes);
  });

  it('and an outdated medium is refused', async () => {
    const bmc = await fakeBmc();
    const dir = bootFolder([bmc.origin]);
    await snoInProcess(['fleet', 'create', '--dir', dir]);
    expect((await boot(dir, [...url, '--dry-run'])).code).toBe(0);
    const base = join(dir, 'base/install-config.yaml');
    writeFileSync(base, `${readFileSync(base, 'utf8')}# changed\nfips: false\n`);
    for (const args of [url, [...url, '--dry-run']]) {
      const { code, stderr } = await boot(dir, args);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(
          'error[boot/outdated]: north-1: its medium is outdated (outdated: inputs changed)',
        ),
      ]);
    }
    expect(bmc.writes).toEqual([]);
    expect(await boot(dir, [...url, '--allow-outdated'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('and a record of another BMC is ignored', async () => {
    const bmc = await fakeBmc();
    const known = { reached: 'booted', at, bmc: 'https://192.0.2.1', slot: '/slot' };
    const record = JSON.stringify({ version: 1, sites: { 'north-1': known } });
    const dir = bootFolder([bmc.origin], { 'out/boot.json': record });

    expect((await boot(dir, ['--eject'])).stdout).toMatch(
      /skipped +its BMC address changed since the boot\n/,
    );
    expect(bmc.writes).toEqual([]);
    expect((await boot(dir, url)).stdout).toMatch(/\n1 site: 1 booted\n/);
  });

  it('and another machine of the same BMC is another one', async () => {
    const bmc = await fakeBmc();
    const known = { reached: 'booted', at, bmc: bmc.origin, system: '/redfish/v1/Systems/2' };
    const record = JSON.stringify({ version: 1, sites: { 'north-1': known } });
    const dir = bootFolder([`${bmc.origin}/redfish/v1/Systems/1`], { 'out/boot.json': record });

    expect((await boot(dir, url)).stdout).toMatch(/\n1 site: 1 booted\n/);
    expect(snapshot(dir)['out/boot.json']).toContain('"system": "/redfish/v1/Systems/1"');
    expect((await boot(dir, url)).stdout).toMatch(/\n1 site: 1 skipped\n/);
  });

  it('or not, if the BMC cannot read their images: --check says so too', async () => {
    const insert = { 'TransferProtocolType@Redfish.AllowableValues': ['NFS', 'HTTP'] };
    const bmc = await fakeBmc({ insert });
    const dir = bootFolder([bmc.origin]);
    const wrong = [await boot(dir, [...url, '--check']), await boot(dir, url)];

    for (const { code, stderr } of wrong)
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /images over HTTPS are not supported, only NFS, HTTP\n[^]*hint: use http:\/\/ URLs for these sites, for example of `serve --http`/,
        ),
      ]);
    expect(bmc.writes).toEqual([]);
    expect((await boot(dir, ['--check'])).stdout).toMatch(
      /ready +power off, no virtual media, images over HTTP only\n/,
    );
    const plain = ['--media-url', 'http://media.example.com/{site}/live.iso'];
    expect((await boot(dir, [...plain, '--check'])).stdout).toMatch(/ready +power off, no virtual media\n/);
    expect((await boot(dir, plain)).stdout).toMatch(/\n1 site: 1 booted\n/);
  });

  it('or not, if the medium is not inserted in the time of --media-timeout', async () => {
    const dir = bootFolder([(await fakeBmc({ losesMedium: true })).origin]);
    const { code, stderr } = await boot(dir, [...url, '--media-timeout', '1s']);

    expect(code).toBe(1);
    expect(stderr).toContain('the BMC accepted the image, but did not insert it within 1 s');
  });

  it.each([
    ['bmc.yaml.age', {}, 'the entry "*" of bmc.yaml.age'],
    [
      'a secret',
      { 'fleet.yaml': loginText('echo, wrong') },
      'the secret "word" of fleet.yaml, and boot.username',
    ],
  ])('or not, if the password in %s is wrong: the hint names its place', async (_name, changes, want) => {
    const bmc = await fakeBmc({ withoutAccounts: true });
    const { stderr } = await boot(bootFolder([bmc.origin], changes), url);

    expect(stderr).toContain('error[boot/login]: the BMC of north-1: invalid user name or password');
    expect(stderr).toContain(`hint: check ${want}\n`);
  });

  it('and a BMC with four megabytes of members is one failed site', async () => {
    const members = Array.from({ length: 90_000 }, (_each, index) => ({
      '@odata.id': `/redfish/v1/x/${index}`,
    }));
    const hostile = await fakeBmc({ machine: { Members: members } });
    const dir = bootFolder([hostile.origin, (await fakeBmc()).origin]);
    const { code, stdout, stderr } = await boot(dir, url);

    expect([code, stdout.match(/^2 sites: .*$/m)?.[0]]).toEqual([1, '2 sites: 1 booted, 1 failed']);
    expect(stderr).toContain('the BMC of north-1: the response contains a list with too many entries');
  });

  it('and a BMC without a virtual CD is named', async () => {
    const dir = bootFolder([(await fakeBmc({ mediaTypes: [] })).origin]);
    const { code, stderr } = await boot(dir, url);
    expect([code, stderr.includes('error[boot/unsupported]')]).toEqual([1, true]);
  });

  it('and each problem has the location of its cell', async () => {
    const refusing = await fakeBmc({ repeatsImage: true });
    const dir = bootFolder([refusing.origin, 'https://127.0.0.1:1'], {});
    const { stdout } = await boot(dir, [...url, '--site-timeout', '1s', '--output', 'json']);
    const { problems } = JSON.parse(stdout) as { problems: readonly Record<string, unknown>[] };

    expect(problems).toMatchObject([
      { code: 'boot/refused', sites: ['north-1'], at: { line: 2, col: 24, path: 'bmc' } },
      { sites: ['north-2'], at: { line: 3, col: 24, path: 'bmc' } },
    ]);
    expect(stdout).not.toContain('media.example.com');
    const wrong = ['--credentials-command', 'echo "{\'*\': {username: operator, password: wrong}}"'];
    const login = await boot(dir, [...url, ...wrong, '--only', 'north-1']);
    expect(login.stderr).toContain('error[boot/login]');
  });
});

describeWith(['openssl'], 'docs/fleet-boot.md', () => {
  const blocks = [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, kind = '', text = '']) => ({
    kind,
    text,
  }));
  const shown = (kind: string): readonly string[] =>
    blocks.flatMap((each) => (each.kind === kind ? [each.text] : []));

  it('shows the output of the command', async () => {
    const folder = scratchFolder();
    const { fingerprint, ...pair } = selfSigned();
    const bmcs = await Promise.all([
      fakeBmc({}, pair),
      fakeBmc({ isOn: true, inserted: 'http://192.0.2.1/old.iso' }, pair),
      fakeBmc({}, pair),
    ]);
    const names = ['north-1', 'north-2', 'south-1'];
    const rows = names.map((name, index) => {
      const written = name === 'south-1' ? 'ab'.repeat(32) : fingerprint;
      return `${name},${new URL(bmcs[index]?.origin ?? '').host},${written}\n`;
    });
    const [fleetBlock = '', credentialsText = ''] = shown('yaml');
    const dir = fleetFolder({
      'fleet.yaml': fleetText(fleetBlock),
      'sites.csv': `name,bmc,bmcCertificate\n${rows.join('')}`,
      'bmc.yaml.age': await encryptAge(credentialsText.replaceAll('…', account.password), {
        recipients: [ageKeys.ours.recipient],
      }),
    });
    const list = names.map((name) => ({ name, url: `https://media.example.com/${name}/live.iso` }));
    writeFileSync(join(folder, 'urls.json'), JSON.stringify({ sites: list }));

    const tidy = (text: string): string => text.replace(/ +/g, ' ').replace(/^ --> \S+/m, ' -->');
    const boots = shown('console').filter((text) => text.startsWith('$ sno-install fleet boot '));
    for (const block of boots) {
      const [line = ''] = block.split('\n');
      const args = line
        .replace('$ sno-install fleet boot --dir fleet', '')
        .replace('urls.json', join(folder, 'urls.json'))
        .replace(' --identity key.txt', '')
        .split(' ')
        .flatMap((word) => (word === '' ? [] : [word.replaceAll("'", '')]));
      const { stdout, stderr } = await boot(dir, args);
      const output = bmcs
        .reduce(
          (text, { origin }, index) => text.replaceAll(new URL(origin).host, `192.0.2.1${index + 1}`),
          stdout + stderr,
        )
        .replace(fingerprint, '…');
      expect(tidy(`${line}\n${output}`)).toBe(tidy(block));
    }
    expect(boots).toHaveLength(2);
  });
});
