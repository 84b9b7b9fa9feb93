import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { scratchFolder } from './scratch.js';
import { scaledMs } from './time-scale.js';

/** Programs required for a network namespace. */
export const loopbackNetworkPrograms = ['unshare', 'nsenter', 'ip', 'curl'] as const;

/** A network namespace with only loopback: rendered programs listen on their real ports without conflicts. */
export interface LoopbackNetwork {
  /** Starts a program that runs until it is stopped, at the latest at the end of the test. */
  start(command: readonly string[], environment?: NodeJS.ProcessEnv): RunningProgram;
  /** Runs a program to its end. */
  run(command: readonly string[]): { readonly status: number | null; readonly output: string };
  /** Retries a program until it succeeds. Otherwise fails with its last output. */
  until(command: readonly string[], running: RunningProgram): Promise<string>;
}

export interface RunningProgram {
  readonly process: ChildProcess;
  /** The output so far. */
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

/** Timeout for a program to become ready on a machine with two busy cores. */
export const readyTimeoutMs = scaledMs(60_000);

export async function loopbackNetwork(): Promise<LoopbackNetwork> {
  const holder = spawn(
    'unshare',
    ['--user', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && echo up && exec sleep infinity'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => {
    holder.kill('SIGKILL');
  });
  await once(holder.stdout, 'data');
  const inside = (command: readonly string[]): readonly string[] => [
    `--target=${holder.pid}`,
    '--user',
    '--net',
    '--preserve-credentials',
    ...command,
  ];
  const run: LoopbackNetwork['run'] = (command) => {
    const { status, stdout, stderr } = spawnSync('nsenter', inside(command), { encoding: 'utf8' });
    return { status, output: `${stdout}${stderr}` };
  };
  return {
    start: (command, environment) => started(inside(command), environment),
    run,
    until: (command, running) => succeeds(() => run(command), running),
  };
}

function started(command: readonly string[], environment: NodeJS.ProcessEnv = {}): RunningProgram {
  // Not a pipe: this process does not drain a pipe while it waits for another program, and the writer would block.
  const log = join(scratchFolder(), 'log');
  const file = openSync(log, 'w');
  const process_ = spawn('nsenter', command, {
    stdio: ['ignore', file, file],
    env: { PATH: process.env['PATH'], ...environment },
  });
  closeSync(file);
  onTestFinished(() => {
    process_.kill('SIGKILL');
  });
  const stop = async (): Promise<void> => {
    if (process_.exitCode !== null) return;
    const exited = once(process_, 'close');
    process_.kill('SIGTERM');
    await exited;
  };
  return { process: process_, log: () => readFileSync(log, 'utf8'), stop };
}

async function succeeds(
  attempt: () => { readonly status: number | null; readonly output: string },
  { process: process_, log }: RunningProgram,
): Promise<string> {
  const end = Date.now() + readyTimeoutMs;
  for (;;) {
    const { status, output } = attempt();
    if (status === 0) return output;
    if (process_.exitCode !== null) throw new Error(`the program exited: ${log()}`);
    if (Date.now() > end) throw new Error(`the program is not ready: ${output}\n${log()}`);
    await new Promise((again) => setTimeout(again, 100));
  }
}
