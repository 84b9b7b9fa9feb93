import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { loopbackNetworkPrograms } from '../../support/loopback-network.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { places, serverPrograms, startServers, users, type Servers } from './servers.js';

interface Site {
  /** `user:password` by registry. */
  readonly logins?: Readonly<Record<string, string>>;
  readonly hasTrust?: boolean;
  /** Reference of the release image. */
  readonly release?: string;
  /** Additional lines of install-config.yaml. */
  readonly more?: string;
  readonly timeServers?: readonly string[];
}

const rightLogins = { 'registry.example.com': users.registry, 'mirror.example.com:5000/ocp': users.mirror };
const mirrors =
  'imageDigestSources:\n  - source: registry.example.com/ocp\n    mirrors: ["mirror.example.com:5000/ocp"]\n';

function writeSite({ caPem, digest }: Servers, site: Site): string {
  const { logins = rightLogins, hasTrust = true, release = `@${digest}`, more = mirrors } = site;
  const auths = Object.fromEntries(
    Object.entries(logins).map(([name, user]) => [name, { auth: Buffer.from(user).toString('base64') }]),
  );
  const bundle = hasTrust ? `additionalTrustBundle: |\n${caPem.replaceAll(/^(?=.)/gm, '  ')}` : '';
  const dir = scratchFolder();
  const config = minimalInstallConfig.replace(
    /^pullSecret: .*$/m,
    `pullSecret: '${JSON.stringify({ auths })}'`,
  );
  writeFileSync(join(dir, 'install-config.yaml'), `${config}${bundle}${more}`);
  const { timeServers = ['time.example.com'] } = site;
  writeFileSync(
    join(dir, 'sno-config.yaml'),
    snoConfigText(
      `hostname: node1.site1.example.com\nnodeIP: 192.168.126.10\nreleaseVersion: 4.21.0\n` +
        `releaseImage: registry.example.com/ocp/release${release}\nntpSources: ${JSON.stringify(timeServers)}\n`,
    ),
  );
  return dir;
}

interface Shown {
  readonly status: number | null;
  readonly output: string;
  /** Subject and kind of each answer, in order. */
  readonly answers: readonly string[];
  readonly codes: readonly string[];
}

function preflight(servers: Servers, site: Site, dnsServer: string = places.dns): Shown {
  const command = [
    process.execPath,
    resolve('dist/cli.js'),
    'preflight',
    '--output',
    'json',
    '--log-level',
    'debug',
  ];
  const { status, output } = servers.network.run([
    ...command,
    ...['--dir', writeSite(servers, site), '--dns-server', dnsServer, '--timeout', '5s'],
  ]);
  const json = output.slice(output.indexOf('\n{\n') + 1);
  const { answers, problems } = JSON.parse(json.slice(json.indexOf('{'), json.lastIndexOf('}') + 1)) as {
    readonly answers?: readonly {
      readonly question: string;
      readonly answer: string;
      readonly verdict: string;
    }[];
    readonly problems: readonly { readonly code: string }[];
  };
  for (const user of Object.values(users)) expect(output).not.toContain(user.split(':')[1]);
  return {
    status,
    output,
    answers: (answers ?? []).map(({ verdict, question, answer }) => `${verdict} ${question} = ${answer}`),
    codes: problems.map(({ code }) => code),
  };
}

const names = [
  'ok api.site1.example.com = 192.168.126.10',
  'ok api-int.site1.example.com = 192.168.126.10',
  'ok *.apps.site1.example.com = 192.168.126.10',
  'ok node1.site1.example.com = 192.168.126.10',
  'ok name of 192.168.126.10 = node1.site1.example.com',
];

describeWith([...serverPrograms, ...loopbackNetworkPrograms], 'preflight of real servers', () => {
  test('dnsmasq, two registries with passwords and tokens, tinyproxy and chronyd', async () => {
    const servers = await startServers();
    const { digest } = servers;
    const atMirror = `mirror.example.com:5000/ocp/release@${digest}`;
    const atSource = `registry.example.com/ocp/release@${digest}`;
    const time = 'ok time.example.com = same time as this machine';

    const right = preflight(servers, {});
    expect(right.answers).toEqual([
      ...names,
      `ok ${atMirror} = ${digest}`,
      `ok ${atSource} = ${digest}`,
      time,
    ]);
    expect([right.status, right.codes]).toEqual([0, []]);

    const byTag = preflight(servers, { release: ':4.21.0-x86_64', more: '' });
    expect(byTag.answers[5]).toBe(`ok registry.example.com/ocp/release:4.21.0-x86_64 = ${digest}`);

    const proxyUrl = `http://${users.proxy}@${places.proxy}:3128`;
    const proxied = preflight(servers, {
      more: `${mirrors}proxy:\n  httpsProxy: ${proxyUrl}\n  noProxy: mirror.example.com\n`,
    });
    const way = `through proxy ${places.proxy}:3128`;
    expect(proxied.answers.slice(5, 7)).toEqual([
      `ok ${atMirror} = ${digest}`,
      `ok ${atSource} = ${digest}, ${way}`,
    ]);
    expect(proxied.status).toBe(0);
    expect(servers.proxy.log()).toContain('CONNECT registry.example.com:443');
    expect(servers.proxy.log()).not.toContain('mirror.example.com');

    const stranger = preflight(servers, {
      more: `proxy:\n  httpsProxy: http://via:wrong@${places.proxy}:3128\n`,
    });
    expect([stranger.status, stranger.codes]).toEqual([1, ['preflight/proxy']]);
    expect(stranger.answers[5]).toBe(`error ${atSource} = proxy failure: invalid credentials, ${way}`);
    expect(stranger.output).not.toContain('wrong');

    const wrongLogins = { ...rightLogins, 'mirror.example.com:5000/ocp': 'robot:wrong' };
    const lame = preflight(servers, { logins: wrongLogins });
    expect([lame.status, lame.codes]).toEqual([0, ['preflight/place-failing']]);
    expect(lame.answers[5]).toBe(
      `warning ${atMirror} = the registry rejected the credentials of pullSecret (HTTP 401)`,
    );

    const refused = preflight(servers, { logins: { 'registry.example.com': 'puller:wrong' }, more: '' });
    expect([refused.status, refused.codes]).toEqual([1, ['preflight/registry-refused']]);

    const untrusted = preflight(servers, { hasTrust: false });
    expect(untrusted.codes).toEqual(['preflight/registry-untrusted', 'preflight/registry-untrusted']);

    const missing = preflight(servers, { release: `@sha256:${'0'.repeat(64)}` });
    expect(missing.codes).toEqual(['preflight/image-missing', 'preflight/image-missing']);

    const elsewhere = preflight(servers, {}, places.otherDns);
    expect(elsewhere.codes).toEqual([
      'preflight/name-elsewhere',
      'preflight/name-outside',
      'preflight/name-missing',
      'preflight/node-name',
      'preflight/node-name',
    ]);
    expect(elsewhere.answers.slice(0, 3)).toEqual([
      'error api.site1.example.com = 192.168.126.11',
      'warning api-int.site1.example.com = 198.51.100.7',
      'error *.apps.site1.example.com = no address',
    ]);

    const silent = preflight(servers, { timeServers: [places.time] }, places.lameDns);
    expect(new Set(silent.codes)).toEqual(
      new Set(['preflight/dns-unanswered', 'preflight/registry-unreachable']),
    );
    expect(silent.answers[0]).toBe('error api.site1.example.com = query refused (REFUSED)');
    expect(silent.answers.at(-1)).toBe(`ok ${places.time} = same time as this machine`);

    const timeless = preflight(servers, { timeServers: [places.lostTime, '192.0.2.53'] });
    expect(timeless.answers.slice(-2)).toEqual([
      `error ${places.lostTime} = it is not synchronized`,
      'error 192.0.2.53 = connection refused',
    ]);
    expect(timeless.codes).toEqual(['preflight/no-time', 'preflight/no-time']);
  });
});
