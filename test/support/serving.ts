import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { onTestFinished } from 'vitest';

import { sno } from './command.js';
import { freePort } from './ports.js';

/** A running server of the built command. */
export interface Serving {
  readonly pid: number;
  readonly port: number;
  readonly url: string;
  /** The stderr output so far. */
  readonly said: () => string;
  /** The stdout output so far. */
  readonly output: () => string;
  /** Sends SIGTERM. Returns the exit code. */
  readonly stop: () => Promise<number | null>;
  readonly signal: (name: NodeJS.Signals) => void;
}

/** Runs `serve` with these arguments in a folder until the test ends. `variables` are added to the environment. Throws its output if it does not start. */
export async function serving(
  cwd: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const port = await freePort();
  const url = `${args.includes('--http') ? 'http' : 'https'}://127.0.0.1:${port}`;
  const iso = args.includes('--fleet') ? [] : ['--iso', 'live.iso'];
  const all = ['serve', ...iso, '--listen', `127.0.0.1:${port}`, '--url', url, ...args];
  const child = spawn(process.execPath, [resolve('dist/cli.js'), ...all], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [said, output] = ['', ''];
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  const exited = once(child, 'close').then(() => child.exitCode);
  const stop = (): Promise<number | null> => {
    child.kill('SIGTERM');
    return exited;
  };
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await started(child, () => said);
  return {
    pid: child.pid ?? 0,
    port,
    url,
    said: () => said,
    output: () => output,
    stop,
    signal: (name) => child.kill(name),
  };
}

async function started(child: ChildProcess, said: () => string): Promise<void> {
  const first = await Promise.race([
    once(child, 'close').then(() => undefined),
    once(child.stdout ?? child, 'data').then(([text]: unknown[]) => String(text)),
  ]);
  if (first === undefined) throw new Error(`the server did not start: ${said()}`);
}

/** The URLs of sites, as printed by `--print-urls`. */
export interface PrintedUrls {
  readonly sites: readonly { readonly name: string; readonly iso: string; readonly ipxe: string }[];
  readonly page: string;
  readonly metrics: { readonly url: string; readonly token: string };
  readonly authority?: { readonly sha256: string; readonly pem: string };
}

/** Returns the URLs of sites. Writes the server's CA certificate to `ca.pem`. */
export function urlsIn(cwd: string, url: string, args: readonly string[] = []): PrintedUrls {
  const { stdout, stderr } = sno(['serve', '--print-urls', '--output', 'json', '--url', url, ...args], {
    cwd,
  });
  if (stdout === '') throw new Error(stderr);
  const printed = JSON.parse(stdout) as PrintedUrls;
  if (printed.authority) writeFileSync(join(cwd, 'ca.pem'), printed.authority.pem);
  return printed;
}

/** A response to curl, which trusts the CA in `ca.pem`. */
export interface Fetched {
  readonly code: number | null;
  readonly status: number;
  /** Includes the quotes. Empty if the header is missing. */
  readonly etag: string;
  readonly body: Buffer;
}

export function curl(cwd: string, url: string, ...args: readonly string[]): Fetched {
  const serveArgs = [
    '--silent',
    '--cacert',
    'ca.pem',
    '--write-out',
    '%{stderr}%{http_code} %header{etag}',
    ...args,
  ];
  const {
    status: code,
    stdout,
    stderr,
  } = spawnSync('curl', [...serveArgs, url], {
    cwd,
    maxBuffer: 64 * 1024 * 1024,
  });
  const [, status = '0', etag = ''] = /^(\d{3}) (.*)$/.exec(stderr.toString()) ?? [];
  return { code, status: Number(status), etag, body: stdout };
}
