import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { NodeAddress } from './node-address.js';

export interface SshCommand {
  readonly address: NodeAddress;
  /** Files with private keys that are offered. */
  readonly keyFiles: readonly string[];
  /** Whether keys of the agent and the user's own files are offered too. */
  readonly offersOwnKeys: boolean;
  /** A file for the node's host key; it does not exist before. */
  readonly knownHostsFile: string;
  /** The command line for the node, and what it reads. */
  readonly command: string;
  readonly input: string;
  /** Where its output goes. */
  readonly output: Writable;
  readonly stop: AbortSignal;
}

/** How an ssh command ended. */
export type SshEnd =
  | { readonly kind: 'ended'; readonly status: number; readonly errors: string }
  | { readonly kind: 'no-program' }
  | { readonly kind: 'stopped' }
  /** The output could not be written. */
  | { readonly kind: 'not-written'; readonly error: unknown };

/** Runs a command on a node with the system's ssh, whose config (jump hosts, agents) applies. It never asks anything. */
export async function runSsh(request: SshCommand): Promise<SshEnd> {
  const child = spawn('ssh', sshArguments(request), { stdio: ['pipe', 'pipe', 'pipe'] });
  const stop = (): void => {
    child.kill('SIGTERM');
    // A jump host's ssh may still hold the other ends.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  request.stop.addEventListener('abort', stop);
  if (request.stop.aborted) stop();
  const ended = new Promise<number | 'no-program'>((resolve) => {
    child.on('error', () => {
      resolve('no-program');
    });
    child.on('close', (status) => {
      resolve(status ?? 255);
    });
  });
  // Where ssh ends before it has read the script, its own end says more.
  child.stdin.on('error', () => undefined);
  child.stdin.end(request.input);
  const [status, errors, written] = await Promise.all([
    ended,
    endOf(child.stderr),
    pipeline(child.stdout, request.output).then(
      () => undefined,
      (error: unknown) => {
        child.kill('SIGTERM');
        return { error };
      },
    ),
  ]);
  request.stop.removeEventListener('abort', stop);
  if (status === 'no-program') return { kind: 'no-program' };
  if (request.stop.aborted) return { kind: 'stopped' };
  if (written !== undefined) return { kind: 'not-written', error: written.error };
  return { kind: 'ended', status, errors };
}

/** Source of the options: ssh(1), ssh_config(5). The first value that is given for an option counts, so ours win. */
function sshArguments({
  address,
  keyFiles,
  offersOwnKeys,
  knownHostsFile,
  command,
}: SshCommand): readonly string[] {
  const options = [
    'BatchMode=yes',
    'ConnectTimeout=20',
    'ServerAliveInterval=15',
    'ServerAliveCountMax=4',
    // Nobody can know the key of a live system, which draws a new one at each boot: it is taken as it comes and forgotten.
    'StrictHostKeyChecking=accept-new',
    `UserKnownHostsFile=${quoted(knownHostsFile)}`,
    'GlobalKnownHostsFile=/dev/null',
    'UpdateHostKeys=no',
    // A machine that is taken as it comes gets nothing but the command.
    'ForwardAgent=no',
    'ClearAllForwardings=yes',
    'PermitLocalCommand=no',
    'ControlPath=none',
    'RequestTTY=no',
    ...(offersOwnKeys ? [] : ['IdentitiesOnly=yes']),
    ...keyFiles.map((file) => `IdentityFile=${quoted(file)}`),
  ];
  return [
    ...options.flatMap((option) => ['-o', option]),
    ...(address.port === undefined ? [] : ['-p', String(address.port)]),
    '-l',
    address.user,
    '--',
    address.host,
    command,
  ];
}

/** A path as the value of an option: blanks separate values, and % begins a token. Source: ssh_config(5), TOKENS */
function quoted(path: string): string {
  return `"${path.replaceAll('%', '%%')}"`;
}

const keptErrors = 8192;

/** The last of what a program says on its standard error. */
async function endOf(stream: Readable): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  try {
    for await (const chunk of stream as AsyncIterable<string>) text = `${text}${chunk}`.slice(-keptErrors);
  } catch {
    // It was closed from here.
  }
  return text;
}
