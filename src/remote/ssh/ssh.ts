import { spawn, type ChildProcess } from 'node:child_process';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { childEnvironment } from '../../core/child-environment.js';
import { programPath } from '../../disk/program-path.js';
import type { NodeAddress } from './node-address.js';

/** A command to run on a node, with its input and output. */
export interface SshCommand {
  readonly address: NodeAddress;
  /** Private key files to offer. */
  readonly keyFiles: readonly string[];
  /** Whether to offer the keys of ssh-agent and the user's own files too. */
  readonly offersOwnKeys: boolean;
  /** Path of a new file for the node's host key. */
  readonly knownHostsFile: string;
  /** Command line for the node; `input` is its standard input. */
  readonly command: string;
  readonly input: string;
  /** Receives its standard output. */
  readonly output: Writable;
  readonly stop: AbortSignal;
}

/** Result of an ssh command. */
export type SshEnd =
  | { readonly kind: 'ended'; readonly status: number; readonly errors: string }
  | { readonly kind: 'no-program' }
  | { readonly kind: 'stopped' }
  /** The output could not be written. */
  | { readonly kind: 'not-written'; readonly error: unknown };

/** Runs a command on a node with the system's ssh and its config (jump hosts, keys). Never prompts. */
export async function runSsh(request: SshCommand): Promise<SshEnd> {
  const child = spawn(programPath('ssh'), sshArguments(request), {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: childEnvironment(process.env),
  });
  const stop = (): void => {
    child.kill('SIGTERM');
    // The ssh process of a jump host may still hold the other ends of the pipes.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  request.stop.addEventListener('abort', stop);
  if (request.stop.aborted) stop();
  // If ssh exits before it has read the script, its exit status is more useful than this error.
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

/** Exit status; 255, as for ssh errors, if a signal ended it. */
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
  // The live system generates a new host key at each boot, so it cannot be known in advance. It is accepted and not kept.
  'StrictHostKeyChecking=accept-new',
  'GlobalKnownHostsFile=/dev/null',
  'UpdateHostKeys=no',
  // A host with an unverified key gets nothing but the command.
  'ForwardAgent=no',
  'ClearAllForwardings=yes',
  'PermitLocalCommand=no',
  'ControlPath=none',
  'RequestTTY=no',
];

/** Default key files of ssh, used only if no other is named. Source: ssh_config(5), IdentityFile */
const ownKeyFiles = ['id_rsa', 'id_ecdsa', 'id_ecdsa_sk', 'id_ed25519', 'id_ed25519_sk'];

/** Source of the options: ssh(1), ssh_config(5). The first value of an option counts, so ours take precedence over the config. */
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

/** Quotes a path as the value of an option: spaces separate values, and % starts a token. Source: ssh_config(5), TOKENS */
function quoted(path: string): string {
  return `"${path.replaceAll('%', '%%')}"`;
}

const keptErrors = 8192;

/** The end of a program's standard error. */
async function lastOf(stream: Readable): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  try {
    for await (const chunk of stream as AsyncIterable<string>) text = `${text}${chunk}`.slice(-keptErrors);
  } catch {
    // We destroyed the stream.
  }
  return text;
}
