import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { freePort } from '../../support/ports.js';
import { scratchFolder } from '../../support/scratch.js';
import { outputOf } from '../control-plane/support/run-program.js';
import { toolPath } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';

/** The S3 server versitygw with a bucket. */
export interface StartedStore {
  /** The folder that contains the bucket's objects as files. */
  readonly bucket: string;
  readonly port: number;
  /** Environment variables of a client. */
  readonly variables: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
}

/**
 * Starts a store that ends with the test. It listens on address `at`; `within` is a command prefix that enters the network of that
 * address.
 */
export async function startedStore({
  at = '127.0.0.1',
  within = () => [],
  scheme = 'http',
  extra = [],
}: {
  readonly at?: string;
  readonly within?: () => readonly string[];
  readonly scheme?: 'http' | 'https';
  readonly extra?: readonly string[];
} = {}): Promise<StartedStore> {
  const program = await toolPath('versitygw', 'versitygw');
  const root = scratchFolder();
  const bucket = join(root, 'sites');
  mkdirSync(bucket);
  const port = await freePort();
  const keys = { access: 'test-access', secret: 'test-secret-of-the-store' };
  let running: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const args = ['--access', keys.access, '--secret', keys.secret, '--port', `${at}:${port}`, ...extra];
    const [first, ...words] = [...within(), program, ...args, '--quiet', 'posix', root];
    running = spawn(first, words, { stdio: 'ignore' });
    const probe = [...within(), 'bash', '-c', 'exec 3<>"/dev/tcp/$0/$1"', at, String(port)];
    await waitUntil('the store listens', () => outputOf(probe), { pauseMs: 50 });
  };
  const stop = async (): Promise<void> => {
    const previous = running;
    running = undefined;
    if (previous === undefined) return;
    previous.kill();
    await once(previous, 'exit');
  };
  await start();
  onTestFinished(stop);
  return {
    bucket,
    port,
    start,
    stop,
    variables: {
      AWS_ACCESS_KEY_ID: keys.access,
      AWS_SECRET_ACCESS_KEY: keys.secret,
      AWS_ENDPOINT_URL: `${scheme}://${at}:${port}`,
    },
  };
}
