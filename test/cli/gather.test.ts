import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { kernelId, ownIdentity } from '../../src/disk/lock/kernel.js';
import { snoInProcess } from '../support/in-process.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';
import { site, filesIn } from './gather-site.js';

/** Runs gather with this script as `ssh`, and with the other programs of `beside`. */
async function gatherWith(
  ssh: string,
  beside: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
) {
  const dir = site();
  const programs = join(dirname(dir), 'programs');
  mkdirSync(programs);
  for (const [name, text] of Object.entries({ ssh, ...beside }))
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const result = await snoInProcess(['gather', '--dir', dir, '--bootstrap', 'sno.example.com', ...more], {
    variables: { PATH: `${programs}:/usr/bin:/bin`, HOME: dirname(dir) },
  });
  const code = /error\[(.*?)\]/.exec(result.stderr)?.[1];
  return { dir, result, code, files: filesIn(dir) };
}

/** An `ssh` that runs the remote script locally. */
const here = 'for word; do last=$word; done; exec sh -c "$last"';

const noBundle = { 'installer-gather.sh': 'echo "tar: write error" >&2; exit 1' };

describeWith(['bash'], 'gather, where something is wrong', () => {
  const cases: readonly {
    name: string;
    ssh: string;
    beside?: Readonly<Record<string, string>>;
    want: string;
    says: string;
  }[] = [
    {
      name: 'the gather script fails',
      ssh: here,
      beside: { ...noBundle, df: 'printf "h\\nx 1 1 9000 1 /\\n"' },
      want: 'support/gather-failed',
      says: 'the gather script on sno.example.com failed with status 22: tar: write error',
    },
    {
      name: 'the disk of the node is full',
      ssh: here,
      beside: { ...noBundle, df: 'printf "h\\nx 1 1 12 1 /\\n"' },
      want: 'support/node-disk-full',
      says: 'sno.example.com has no disk space left',
    },
    {
      name: 'sudo asks for a password',
      ssh: here,
      beside: { ...noBundle, id: 'echo 1000', sudo: 'exit 1' },
      want: 'support/sudo-refused',
      says: 'core cannot run sudo',
    },
    {
      name: 'the gather script hangs',
      ssh: here,
      beside: { ...noBundle, timeout: 'exit 124' },
      want: 'support/gather-timeout',
      says: 'did not send the bundle within 20 min',
    },
    {
      name: 'the bundle is cut off though ssh does not say so',
      ssh: 'seq 1000 | gzip | head -c 500',
      want: 'support/bundle-cut-off',
      says: 'is incomplete',
    },
    {
      name: 'nothing arrives though ssh does not say so',
      ssh: 'exit 0',
      want: 'support/bundle-cut-off',
      says: 'is incomplete',
    },
    {
      name: 'nobody knows the name',
      ssh: 'echo "ssh: Could not resolve hostname sno.example.com: Name or service not known" >&2; exit 255',
      want: 'support/host-unreachable',
      says: 'Could not resolve hostname',
    },
  ];

  test.each(cases)('$name', async ({ ssh, beside, want, says }) => {
    const { result, code, files } = await gatherWith(ssh, beside);

    expect({ status: result.code, code, files }).toEqual({ status: 1, code: want, files: [] });
    expect(result.stderr).toContain(says);
  });

  it('ssh is missing', async () => {
    const dir = site();
    const result = await snoInProcess(['gather', '--dir', dir, '--bootstrap', 'sno.example.com'], {
      variables: { PATH: '/nonexistent' },
    });

    expect(result.stderr).toContain('error[support/ssh-missing]');
    expect(filesIn(dir)).toEqual([]);
  });

  it('the directory is a file', async () => {
    const dir = join(scratchFolder(), 'file');
    writeFileSync(dir, '');
    const result = await snoInProcess([
      'gather',
      '--dir',
      dir,
      '--state',
      '/nonexistent',
      '--bootstrap',
      'sno.example.com',
    ]);

    expect([result.code, result.stderr]).toEqual([2, expect.stringContaining('is a file, use: `--dir ')]);
  });
});

describe('gather', () => {
  it('passes ssh a key with mode 0600, and options that the address cannot change', async () => {
    const { dir } = await gatherWith(
      [
        'cd "$(dirname "$0")"',
        'printf "%s\\n" "$@" >arguments',
        'stat -c %a ../site/.sno-install-gather.*/key-0 >mode',
        'exit 255',
      ].join('\n'),
    );
    const written = (name: string) => readFileSync(join(dirname(dir), 'programs', name), 'utf8');
    const words = written('arguments').split('\n').slice(0, -1);

    expect(written('mode')).toBe('600\n');
    expect(words.slice(-5, -1)).toEqual(['-l', 'core', '--', 'sno.example.com']);
    expect(words.at(-1)).toMatch(/^sh -s \d{14} 1190$/);
    expect(words).toContain('BatchMode=yes');
    expect(words).toContain('StrictHostKeyChecking=accept-new');
    expect(words.filter((word) => word.startsWith('IdentityFile='))[0]).toContain('/key-0"');
    expect(words).toContain('IdentityFile=~/.ssh/id_ed25519');
    expect(words.find((word) => word.startsWith('UserKnownHostsFile='))).toContain('.sno-install-gather.');
  });

  it.each(['-oProxyCommand=touch /tmp/x', 'a b', 'core@', 'host:0', 'host:99999', '$(id)', 'a;b', ''])(
    'refuses the address %j',
    async (address) => {
      const result = await snoInProcess(['gather', `--bootstrap=${address}`]);

      expect(result.code).not.toBe(0);
      expect(result.stderr).toMatch(/error\[(support\/host|usage\/unknown-argument)\]/);
    },
  );

  it.each([
    { name: 'no node', args: [] },
    { name: 'two nodes', args: ['--bootstrap', 'a', '--host', 'b'] },
  ])('requires one node: $name', async ({ args }) => {
    expect((await snoInProcess(['gather', ...args])).code).toBe(2);
  });

  it('names the key file that cannot be read, and the time that is none', async () => {
    const result = await snoInProcess([
      'gather',
      '--bootstrap',
      'a',
      '--key',
      '/nonexistent',
      '--timeout',
      '5',
    ]);

    expect(result.stderr).toContain('--key /nonexistent cannot be read');
    expect(result.stderr).toContain('--timeout is "5"');
  });

  const { namespace, pid, started } = ownIdentity();
  const namespaceNumber = /\d*(?=\]?$)/.exec(namespace)?.[0] ?? '';

  it.each([
    { whose: 'a run that was killed', name: `${kernelId()}.${namespaceNumber}-999999999-1`, stays: false },
    {
      whose: 'a killed run whose number another process has now',
      name: `${kernelId()}.${namespaceNumber}-${pid}-1${started}`,
      stays: false,
    },
    { whose: 'a run before the last boot', name: `000000000000.1-${pid}-${started}`, stays: false },
    { whose: 'a run that works', name: `${kernelId()}.${namespaceNumber}-${pid}-${started}`, stays: true },
    { whose: 'a run in another container', name: `${kernelId()}.1-${pid}-${started}`, stays: true },
    { whose: 'nobody that is known', name: 'x', stays: true },
  ])('keeps a folder of $whose: $stays', async ({ name, stays }) => {
    const dir = site();
    const left = join(dir, `.sno-install-gather.${name}.abc`);
    mkdirSync(left);
    writeFileSync(join(left, 'key-0'), 'key');
    await snoInProcess(['gather', '--dir', dir, '--bootstrap', 'sno.example.com'], {
      variables: { PATH: '/nonexistent' },
    });

    expect(existsSync(left)).toBe(stays);
  });

  it('removes its files after Ctrl-C', async () => {
    const dir = site();
    const programs = join(dirname(dir), 'programs');
    mkdirSync(programs);
    const ssh = '#!/bin/sh\necho >"$(dirname "$0")/started"\nexec sleep 600\n';
    writeFileSync(join(programs, 'ssh'), ssh, { mode: 0o755 });
    const started = untilThere(join(programs, 'started'));
    const child = spawn(
      process.execPath,
      [resolve('dist/cli.js'), 'gather', '--dir', dir, '--bootstrap', 'a'],
      {
        env: { PATH: `${programs}:/usr/bin:/bin`, HOME: dirname(dir) },
        stdio: 'ignore',
      },
    );
    await started;
    child.kill('SIGINT');
    const [status] = (await once(child, 'exit')) as [number | null];

    expect([status, filesIn(dir)]).toEqual([130, []]);
  });
});

/** Waits until the file exists. */
async function untilThere(path: string): Promise<void> {
  const watcher = watch(dirname(path));
  while (!existsSync(path)) await once(watcher, 'change');
  watcher.close();
}
