import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { onTestFinished } from 'vitest';

/** A busy S3 server: every request gets a 503. */
export interface RefusingStore {
  readonly stop: () => Promise<void>;
}

/** Source: docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, SlowDown */
const program = `require('node:http').createServer((asking, answer) => {
  asking.resume();
  answer.writeHead(503, { 'content-type': 'application/xml' }).end('<Error><Code>SlowDown</Code></Error>');
}).listen(Number(process.argv[2]), process.argv[1], () => console.log('listening'));`;

/** Starts one in the network that the command prefix `within` enters. No other store listens there. */
export async function refusingStore(
  within: readonly string[],
  { at, port }: { readonly at: string; readonly port: number },
): Promise<RefusingStore> {
  const [first, ...words] = [...within, process.execPath, '--eval', program, at, String(port)];
  const running = spawn(first, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = async (): Promise<void> => {
    if (running.exitCode !== null || !running.kill('SIGKILL')) return;
    await once(running, 'exit');
  };
  onTestFinished(stop);
  await once(running.stdout, 'data');
  return { stop };
}
