import { spawn, type ChildProcess } from 'node:child_process';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { childEnvironment } from '../../core/child-environment.js';
import { programPath } from '../../disk/program-path.js';
import type { NodeAddress } from './node-address.js';

/** A command on a node, and where what it reads and prints goes. */
export interface SshCommand {
  readonly address: NodeAddress;
  /** Files with private keys that are offered. */
  readonly keyFiles: readonly string[];
  /** Whether keys of ssh-agent and the user's own files are offered too. */
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

/** Runs a command on a node with the system's ssh, whose config (jump hosts, keys) applies. It never asks anything. */
export async function runSsh(request: SshCommand): Promise<SshEnd> {
  const child = spawn(programPath('ssh'), sshArguments(request), {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: childEnvironment(process.env),
  });
  const stop = (): void => {
    child.kill('SIGTERM');
    // A jump host's ssh may still hold the other ends.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  request.stop.addEventListener('abort', stop);
  if (request.stop.aborted) stop();
  // Where ssh ends before it has read the script, its own end says more.
  child.stdin.on('error', () => undefined);
  child.stdin.end(request.input);
  const written = pipeline(child.stdout, request.output).catch((error: unknown) => {
    child.kill('SIGTERM');
    return { error };
  });
  const [status, errors, fault] = await Promise.all([endOf(child), lastOf(child.stderr), written]);
  request.stop.removeEventListener('abort', stop);
  if (status === 'no-program') return { kind: 'no-program' };
  if (request.stop.aborted) return { kind: 'stopped' };
  return fault === undefined
    ? { kind: 'ended', status, errors }
    : { kind: 'not-written', error: fault.error };
}

/** The exit status; 255, ssh's own, when a signal ended it. */
function endOf(child: ChildProcess): Promise<number | 'no-program'> {
  return new Promise((resolve) => {
    child.on('error', () => {
      resolve('no-program');
    });
    child.on('close', (status) => {
      resolve(status ?? 255);
    });
  });
}

const fixedOptions = [
  'BatchMode=yes',
  'ConnectTimeout=20',
  'ServerAliveInterval=15',
  'ServerAliveCountMax=4',
  // Nobody can know the key of a live system, which draws a new one at each boot: it is taken as it comes and forgotten.
  'StrictHostKeyChecking=accept-new',
  'GlobalKnownHostsFile=/dev/null',
  'UpdateHostKeys=no',
  // A machine that is taken as it comes gets nothing but the command.
  'ForwardAgent=no',
  'ClearAllForwardings=yes',
  'PermitLocalCommand=no',
  'ControlPath=none',
  'RequestTTY=no',
];

/** What ssh looks for by itself, unless it is given any other file. Source: ssh_config(5), IdentityFile */
const ownKeyFiles = ['id_rsa', 'id_ecdsa', 'id_ecdsa_sk', 'id_ed25519', 'id_ed25519_sk'];

/** Source of the options: ssh(1), ssh_config(5). The first value that is given for an option counts, so ours win. */
function sshArguments(request: SshCommand): readonly string[] {
  const { address, keyFiles, offersOwnKeys, knownHostsFile, command } = request;
  const options = [
    ...fixedOptions,
    `UserKnownHostsFile=${quoted(knownHostsFile)}`,
    ...keyFiles.map((file) => `IdentityFile=${quoted(file)}`),
    ...(offersOwnKeys ? ownKeyFiles.map((name) => `IdentityFile=~/.ssh/${name}`) : ['IdentitiesOnly=yes']),
  ];
  return [
    ...options.flatMap((option) => ['-o', option]),
    ...(address.port === undefined ? [] : ['-p', String(address.port)]),
    ...['-l', address.user, '--', address.host, command],
  ];
}

/** A path as the value of an option: blanks separate values, and % begins a token. Source: ssh_config(5), TOKENS */
function quoted(path: string): string {
  return `"${path.replaceAll('%', '%%')}"`;
}

const keptErrors = 8192;

/** The last of what a program says on its standard error. */
async function lastOf(stream: Readable): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  try {
    for await (const chunk of stream as AsyncIterable<string>) text = `${text}${chunk}`.slice(-keptErrors);
  } catch {
    // It was closed from here.
  }
  return text;
}
