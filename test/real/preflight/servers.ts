import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  loopbackNetwork,
  type LoopbackNetwork,
  type RunningProgram,
} from '../../support/loopback-network.js';
import { scratchFolder } from '../../support/scratch.js';

/** The server programs, and those that create certificates and networks. */
export const serverPrograms = [
  'dnsmasq',
  'docker-registry',
  'tinyproxy',
  'chronyd',
  'htpasswd',
  'openssl',
] as const;

/** Addresses of RFC 5737 in a separate network. */
export const places = {
  dns: '192.0.2.53',
  otherDns: '192.0.2.54',
  lameDns: '192.0.2.55',
  registry: '192.0.2.10',
  mirror: '192.0.2.20',
  tokens: '192.0.2.21',
  proxy: '192.0.2.30',
  time: '192.0.2.40',
  lostTime: '192.0.2.41',
} as const;

export const users = {
  registry: 'puller:pass-of-registry',
  mirror: 'robot:pass-of-mirror',
  proxy: 'via:pass-of-proxy',
};

/** Real servers, each at its own address. */
export interface Servers {
  readonly network: LoopbackNetwork;
  readonly caPem: string;
  /** Digest of the image `ocp/release:4.21.0-x86_64` in both registries. */
  readonly digest: string;
  readonly proxy: RunningProgram;
}

export async function startServers(): Promise<Servers> {
  const network = await loopbackNetwork();
  for (const address of Object.values(places))
    network.run(['ip', 'address', 'add', `${address}/32`, 'dev', 'lo']);
  const folder = scratchFolder();
  const caPem = makeCertificates(folder);
  startNameServers(network);
  const proxy = startProxy(network, folder);
  startTimeServers(network, folder);
  network.start([process.execPath, 'test/real/preflight/token-server.mjs', places.tokens, '443', folder]);
  const digest = await startRegistries(network, folder);
  await network.until(
    ['curl', '--silent', '--cacert', join(folder, 'ca.crt'), ...resolved('tokens', 443)],
    proxy,
  );
  return { network, caPem, digest, proxy };
}

function resolved(name: 'registry' | 'mirror' | 'tokens', port: number): readonly string[] {
  const host = `${name}.example.com`;
  return ['--resolve', `${host}:${port}:${places[name]}`, `https://${host}:${port}/v2/`];
}

/** Creates a CA, a server certificate for every name, and the key that signs tokens. Returns the CA as PEM. */
function makeCertificates(folder: string): string {
  const openssl = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };
  writeFileSync(join(folder, 'req.conf'), '[req]\ndistinguished_name = name\n[name]\n');
  const key = ['-config', 'req.conf', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-subj',
    '/CN=registries',
    '-addext',
    'basicConstraints=critical,CA:TRUE',
    '-addext',
    'keyUsage=critical,keyCertSign',
  );
  openssl('req', '-x509', ...key, '-keyout', 'token.key', '-out', 'token.crt', '-subj', '/CN=tokens');
  const names = ['registry', 'mirror', 'tokens'].map((name) => `DNS:${name}.example.com`).join(',');
  const leaf = [
    '-CA',
    'ca.crt',
    '-CAkey',
    'ca.key',
    '-addext',
    `subjectAltName=${names}`,
    '-addext',
    'basicConstraints=critical,CA:FALSE',
  ];
  openssl(
    'req',
    '-x509',
    ...key,
    ...leaf,
    '-keyout',
    'server.key',
    '-out',
    'server.crt',
    '-subj',
    '/CN=server',
  );
  writeFileSync(join(folder, 'user'), users.mirror);
  return openssl('x509', '-in', 'ca.crt');
}

/** Starts a name server with correct records, one with other addresses and missing records, and one that refuses queries. */
function startNameServers(network: LoopbackNetwork): void {
  const server = (address: string, ...options: readonly string[]): void => {
    network.start([
      ...[
        'dnsmasq',
        '--no-daemon',
        '--no-resolv',
        '--no-hosts',
        '--bind-interfaces',
        '--conf-file=/dev/null',
      ],
      ...['--log-facility=-', '--pid-file=', `--listen-address=${address}`, ...options],
    ]);
  };
  const servers = ['registry', 'mirror', 'tokens', 'time'] as const;
  const hosts = servers.map((name) => `--host-record=${name}.example.com,${places[name]}`);
  const local = '--local=/example.com/';
  const record = (name: string, address: string): string =>
    `--host-record=${name}.site1.example.com,${address}`;
  server(
    places.dns,
    ...hosts,
    local,
    '--local=/192.in-addr.arpa/',
    record('api', '192.168.126.10'),
    record('api-int', '192.168.126.10'),
    record('node1', '192.168.126.10'),
    '--address=/apps.site1.example.com/192.168.126.10',
    '--ptr-record=10.126.168.192.in-addr.arpa,node1.site1.example.com',
  );
  const single = '--host-record=console.apps.site1.example.com,192.168.126.10';
  server(
    places.otherDns,
    ...hosts,
    local,
    record('api', '192.168.126.11'),
    record('api-int', '198.51.100.7'),
    single,
  );
  server(places.lameDns);
}

function startProxy(network: LoopbackNetwork, folder: string): RunningProgram {
  const [user = '', password = ''] = users.proxy.split(':');
  writeFileSync(
    join(folder, 'tinyproxy.conf'),
    `Port 3128\nListen ${places.proxy}\nTimeout 60\nLogLevel Connect\nMaxClients 20\nAllow 192.0.2.0/24\nBasicAuth ${user} ${password}\nConnectPort 443\nConnectPort 5000\n`,
  );
  writeFileSync(join(folder, 'resolv.conf'), `nameserver ${places.dns}\n`);
  writeFileSync(join(folder, 'hosts'), '127.0.0.1 localhost\n');
  // tinyproxy resolves host names with these files, which replace those of the system.
  const mounts = ['resolv.conf', 'hosts']
    .map((name) => `mount --bind ${join(folder, name)} /etc/${name}`)
    .join(' && ');
  const command = `${mounts} && exec tinyproxy -d -c ${join(folder, 'tinyproxy.conf')}`;
  return network.start(['unshare', '--mount', 'sh', '-c', command]);
}

/** Starts a time server with a synchronized clock and one without. */
function startTimeServers(network: LoopbackNetwork, folder: string): void {
  for (const [name, isLocal] of [
    ['time', true],
    ['lostTime', false],
  ] as const) {
    const path = join(folder, `${name}.conf`);
    const lines = [
      `bindaddress ${places[name]}`,
      'port 123',
      'cmdport 0',
      'allow all',
      `pidfile ${folder}/${name}.pid`,
    ];
    writeFileSync(path, [...lines, ...(isLocal ? ['local stratum 8'] : []), ''].join('\n'));
    network.start(['chronyd', '-x', '-d', '-u', 'root', '-f', path]);
  }
}

async function startRegistries(network: LoopbackNetwork, folder: string): Promise<string> {
  const [user = '', password = ''] = users.registry.split(':');
  const { stdout } = spawnSync('htpasswd', ['-nbB', user, password], { encoding: 'utf8' });
  writeFileSync(join(folder, 'htpasswd'), stdout);
  const basic = { htpasswd: { realm: 'registry', path: join(folder, 'htpasswd') } };
  const token = {
    token: {
      realm: 'https://tokens.example.com/token',
      service: 'mirror',
      issuer: 'tokens.example.com',
      rootcertbundle: join(folder, 'token.crt'),
    },
  };
  const common = { registry: 443, mirror: 5000 } as const;
  const start = (name: 'registry' | 'mirror', auth: object): RunningProgram => {
    const storage = join(folder, 'storage');
    mkdirSync(storage, { recursive: true });
    const tls = { certificate: join(folder, 'server.crt'), key: join(folder, 'server.key') };
    const http = { addr: `${places[name]}:${common[name]}`, secret: 'a', tls };
    const path = join(folder, `${name}.yml`);
    writeFileSync(
      path,
      JSON.stringify({ version: 0.1, storage: { filesystem: { rootdirectory: storage } }, http, auth }),
    );
    return network.start(['docker-registry', 'serve', path]);
  };
  // Both registries serve the same folder.
  const registry = start('registry', basic);
  const mirror = start('mirror', token);
  const trust = ['--cacert', join(folder, 'ca.crt'), '--silent'];
  await network.until(['curl', ...trust, ...resolved('registry', 443)], registry);
  await network.until(['curl', ...trust, ...resolved('mirror', 5000)], mirror);
  writeFileSync(join(folder, 'push-hosts'), `${places.registry} registry.example.com\n`);
  const push = `mount --bind ${join(folder, 'push-hosts')} /etc/hosts && NODE_EXTRA_CA_CERTS=${join(folder, 'ca.crt')} exec "$@"`;
  const { status, output } = network.run([
    ...['unshare', '--mount', 'sh', '-c', push, 'sh', process.execPath, 'test/real/preflight/push-image.mjs'],
    ...['https://registry.example.com/v2/ocp/release', users.registry],
  ]);
  if (status !== 0) throw new Error(output);
  return output.trim();
}
