import { spawn, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { selfSigned } from '../../support/openssl.js';
import { freePort, listeningPort } from '../../support/ports.js';
import { scratchFolder } from '../../support/scratch.js';
import { builtBy } from '../../support/built-by.js';

/** Paths of a server's key and certificate, and the certificate's fingerprint. */
export interface Pair {
  readonly key: string;
  readonly cert: string;
  readonly fingerprint: string;
}

/** Functions that stop servers after all tests. */
export type Ends = (() => Promise<unknown>)[];

/** A self-signed certificate for 127.0.0.1. */
export function madePair(): Pair {
  const { keyPath, certPath, cert } = selfSigned();
  return { key: keyPath, cert: certPath, fingerprint: new X509Certificate(cert).fingerprint256 };
}

/** A sushy-emulator process with machines of its fake driver. */
export interface Emulator {
  readonly port: number;
  /** Paths of its machines. */
  readonly systems: readonly string[];
  /** The requests so far, each as `METHOD path STATUS`. */
  readonly requests: () => readonly string[];
}

interface EmulatorOptions {
  readonly pair: Pair;
  readonly password: string;
  readonly ends: Ends;
  /** MAC addresses of a machine by its index. */
  readonly macsOf?: (index: number) => readonly string[];
  /** More lines of its configuration, in Python, for machines with these UUIDs. */
  readonly more?: (uuids: readonly string[]) => string;
}

/** Starts an emulator with one user. Every second machine is on. */
export async function startEmulator(
  count: number,
  { pair, password, ends, macsOf = () => [], more = () => '' }: EmulatorOptions,
): Promise<Emulator> {
  const programs = await builtBy('test/real/redfish/emulator/build', [], 'sushy-emulator');
  const folder = scratchFolder();
  const port = await freePort();
  const uuids = Array.from(
    { length: count },
    (_, index) => `a0000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  );
  const machines = uuids.map((uuid, index) => ({
    uuid,
    name: `machine-${index}`,
    power_state: index % 2 === 0 ? 'Off' : 'On',
    nics: macsOf(index).map((mac) => ({ mac })),
  }));
  const { stdout } = spawnSync('htpasswd', ['-niBC', '4', 'operator'], { input: password, encoding: 'utf8' });
  writeFileSync(join(folder, 'users'), stdout.trim());
  const settings = {
    SUSHY_EMULATOR_LISTEN_IP: '127.0.0.1',
    SUSHY_EMULATOR_LISTEN_PORT: port,
    SUSHY_EMULATOR_SSL_CERT: pair.cert,
    SUSHY_EMULATOR_SSL_KEY: pair.key,
    SUSHY_EMULATOR_AUTH_FILE: join(folder, 'users'),
    SUSHY_EMULATOR_STATE_DIR: folder,
    SUSHY_EMULATOR_FAKE_SYSTEMS: machines,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  writeFileSync(
    join(folder, 'emulator.conf'),
    `${lines.join('')}${more(uuids)}SUSHY_EMULATOR_FAKE_DRIVER = True\n`,
  );
  const emulator = spawn(join(programs, 'sushy-emulator'), ['--config', join(folder, 'emulator.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TMPDIR: folder },
  });
  let log = '';
  emulator.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  ends.push(() => {
    const closed = once(emulator, 'close');
    emulator.kill('SIGKILL');
    return closed;
  });
  await new Promise<void>((resolve, reject) => {
    emulator.stderr.on('data', () => {
      if (log.includes('Running on')) resolve();
    });
    emulator.once('close', () => {
      reject(new Error(`sushy-emulator ended:\n${log}`));
    });
  });
  const requests = (): readonly string[] =>
    [...log.replace(/\u001b\[\d+m/g, '').matchAll(/"([A-Z]+ \S+) HTTP\/[\d.]+" (\d+)/g)].map(
      ([, question = '', status = '']) => `${question} ${status}`,
    );
  return { port, systems: uuids.map((uuid) => `/redfish/v1/Systems/${uuid}`), requests };
}

/** Starts an HTTPS image server; `given` lists the paths of its downloads. */
export async function startImages(
  pair: Pair,
  ends: Ends,
): Promise<{ readonly port: number; readonly given: readonly string[] }> {
  const given: string[] = [];
  const server = createSecureServer({ key: readFileSync(pair.key), cert: readFileSync(pair.cert) });
  server.on('request', (request, response) => {
    given.push(request.url ?? '');
    response.end('an image');
  });
  ends.push(() => {
    server.closeAllConnections();
    return promisify(server.close.bind(server))();
  });
  return { port: await listeningPort(server), given };
}

/** Starts a proxy to a port that delays each answer. Without a port it never answers. */
export async function startSlowWay(port: number | undefined, delayMs: number, ends: Ends): Promise<number> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    open.add(near);
    near.on('error', () => undefined);
    if (port === undefined) return;
    const far = connect(port, '127.0.0.1');
    open.add(far);
    near.pipe(far);
    far.on('data', (chunk: Buffer) => setTimeout(() => near.write(chunk), delayMs));
    far.on('end', () => setTimeout(() => near.end(), delayMs));
    far.on('error', () => near.destroy());
  });
  ends.push(() => {
    for (const socket of open) socket.destroy();
    return promisify(server.close.bind(server))();
  });
  return listeningPort(server);
}
