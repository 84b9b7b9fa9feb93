import { spawn, type ChildProcess } from 'node:child_process';

import { onTestFinished } from 'vitest';

/** Starts the real etcd and waits until it serves clients. It is stopped at the end of the test. */
export async function startedEtcd(flags: readonly string[]): Promise<ChildProcess> {
  const etcd = spawn('etcd', flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => {
    etcd.kill('SIGKILL');
  });
  await new Promise<void>((ready, failed) => {
    let log = '';
    etcd.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('ready to serve client requests')) ready();
    });
    etcd.on('exit', () => {
      failed(new Error(`etcd ended: ${log}`));
    });
  });
  return etcd;
}
