import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { sno, snapshot } from '../support/command.js';
import { scratchFolder } from '../support/scratch.js';

const pullSecret = '{"auths":{"registry.example.com":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}';

describe('create install-config', () => {
  it('writes a config that validate accepts once the pull secret is in', () => {
    const dir = join(scratchFolder(), 'site');
    const options = [
      '--name',
      'edge7',
      '--base-domain',
      'example.com',
      '--installation-disk',
      '/dev/disk/by-id/wwn-0x1',
    ];

    const created = sno(['create', 'install-config', '--dir', dir, ...options]);
    const before = sno(['validate', '--dir', dir]);
    const path = join(dir, 'install-config.yaml');
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(/^pullSecret: .*$/m, `pullSecret: '${pullSecret}'`),
    );
    const after = sno(['validate', '--dir', dir]);

    expect([created.code, created.stderr]).toEqual([0, '']);
    expect(created.stdout).toBe(
      `Wrote ${path}.\nFill in: networking.machineNetwork, pullSecret, sshKey.\nNext: \`sno-install validate --dir ${dir}\`.\n`,
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(before.code).toBe(1);
    expect(before.stderr).toContain('error[config/missing-field]: pullSecret is empty');
    expect(after).toMatchObject({ code: 0, stdout: 'no problems found\n', stderr: '' });
  });

  it('takes keys and pull secret from files', () => {
    const scratch = scratchFolder();
    writeFileSync(join(scratch, 'pull-secret.json'), `${pullSecret}\n`);
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPmjS1O7wJXzLw6e0n0r9mDL8m1m3pYyq0xV5H6mJmEx throwaway';
    writeFileSync(join(scratch, 'id.pub'), `${key}\n`);
    const files = [
      '--ssh-key-file',
      join(scratch, 'id.pub'),
      '--pull-secret-file',
      join(scratch, 'pull-secret.json'),
    ];

    const { code } = sno(['create', 'install-config', '--dir', scratch, ...files]);

    const text = readFileSync(join(scratch, 'install-config.yaml'), 'utf8');
    expect(code).toBe(0);
    expect(text).toContain(`pullSecret: '${pullSecret}'\n`);
    expect(text).toContain(`sshKey: |\n  ${key}\n`);
  });

  it('never overwrites: dir/file-exists', () => {
    const dir = scratchFolder();
    writeFileSync(join(dir, 'install-config.yaml'), 'mine');

    const { code, stderr } = sno(['create', 'install-config', '--dir', dir]);

    expect([code, readFileSync(join(dir, 'install-config.yaml'), 'utf8')]).toEqual([1, 'mine']);
    expect(stderr).toBe(
      `error[dir/file-exists]: ${dir}/install-config.yaml is there already and is never overwritten\n` +
        '   = hint: edit the file that is there, or name another directory with --dir\n\n1 problem; nothing was written\n',
    );
  });

  it('says which file it cannot read: usage/unreadable-file', () => {
    const dir = scratchFolder();
    mkdirSync(join(dir, 'folder'));

    const { code, stderr } = sno([
      ...['create', 'install-config', '--dir', dir],
      ...['--ssh-key-file', join(dir, 'missing'), '--pull-secret-file', join(dir, 'folder')],
    ]);

    expect(code).toBe(2);
    expect(stderr).toBe(
      `error[usage/unreadable-file]: --ssh-key-file ${dir}/missing cannot be read: it does not exist\n\n` +
        `error[usage/unreadable-file]: --pull-secret-file ${dir}/folder cannot be read: it is a folder, not a file\n\n` +
        '2 problems; nothing was written\n',
    );
    expect(Object.keys(snapshot(dir))).toEqual([]);
  });
});
