import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

import { freePort } from '../../support/ports.js';
import { isRoot, pathOfProgram } from '../../support/programs.js';

/** A real sshd on loopback. It accepts the user that runs the tests, by key only. */
export interface SshServer {
  /** `USER@127.0.0.1:PORT`. */
  readonly address: string;
}

export interface SshServerSetup {
  readonly folder: string;
  /** Lines of authorized_keys. */
  readonly authorizedKeys: readonly string[];
  /** Environment of the commands that sshd runs. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Starts the server; the end of the test stops it. */
export async function sshServer({ folder, authorizedKeys, variables }: SshServerSetup): Promise<SshServer> {
  const hostKey = join(folder, 'host_key');
  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKey]);
  writeFileSync(join(folder, 'authorized_keys'), `${authorizedKeys.join('\n')}\n`);
  const port = await freePort();
  const set = Object.entries(variables).map(([name, value]) => `"${name}=${value}"`);
  // Source: sshd_config(5)
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    'PidFile none',
    // The test folder is below /tmp, which everyone can write to.
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    `SetEnv ${set.join(' ')}`,
  ];
  writeFileSync(join(folder, 'sshd_config'), `${config.join('\n')}\n`);
  makePrivilegeSeparationFolder();
  const server = spawn(pathOfProgram('sshd') ?? 'sshd', ['-D', '-e', '-f', join(folder, 'sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void server.kill());
  for await (const chunk of server.stderr.setEncoding('utf8') as AsyncIterable<string>)
    if (chunk.includes('Server listening on 127.0.0.1')) break;
  return { address: `${userInfo().username}@127.0.0.1:${port}` };
}

/** sshd needs this folder when it runs as root. Only a start by the system creates it. */
function makePrivilegeSeparationFolder(): void {
  if (!isRoot()) return;
  const folder = '/run/sshd';
  const made = mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (made === undefined) return;
  onTestFinished(() => {
    rmdirSync(folder);
  });
}
