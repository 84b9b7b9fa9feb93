import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { snapshot } from '../../support/command.js';
import { snoInProcess } from '../../support/in-process.js';
import { scratchFolder } from '../../support/scratch.js';

const pullSecret = '{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}';

function unreadable(option: string, path: string, reason: string): string {
  const message = `error[usage/unreadable-file]: ${option} ${path} cannot be read: ${reason}`;
  return `${message}\n  --> ${path}\n   = hint: name a file that exists and that this user can read\n\n`;
}

describe('create install-config', () => {
  it('writes a config that is valid with a pull secret', async () => {
    const dir = join(scratchFolder(), 'site');
    const options = [
      '--name',
      'edge7',
      '--base-domain',
      'example.com',
      '--installation-disk',
      '/dev/disk/by-id/wwn-0x1',
      '--machine-network',
      '192.168.126.0/24',
    ];

    const created = await snoInProcess(['create', 'install-config', '--dir', dir, ...options]);
    const before = await snoInProcess(['validate', '--dir', dir]);
    const path = join(dir, 'install-config.yaml');
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(/^pullSecret: .*$/m, `pullSecret: '${pullSecret}'`),
    );
    const after = await snoInProcess(['validate', '--dir', dir]);

    expect([created.code, created.stderr]).toEqual([0, '']);
    expect(created.stdout).toBe(
      `Wrote ${path}.\nFill in: pullSecret, sshKey.\nNext: \`sno-install validate --dir ${dir}\`.\n`,
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(before.code).toBe(1);
    expect(before.stderr).toContain('error[config/missing-field]: pullSecret is empty');
    expect(after).toMatchObject({ code: 0, stdout: 'no problems found\n', stderr: '' });
  });

  it('does not use the answers of an interrupted run without a terminal', async () => {
    const dir = scratchFolder();
    writeFileSync(join(dir, '.install-config.yaml.draft.json'), '{"name":"edge7"}');
    const { code, stdout } = await snoInProcess(['create', 'install-config', '--dir', dir]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Fill in: metadata.name')]);
  });

  it('marks missing values so that validate reports each of them', async () => {
    const dir = join(scratchFolder(), 'site');
    await snoInProcess(['create', 'install-config', '--dir', dir]);
    const { problems } = JSON.parse(
      (await snoInProcess(['validate', '--dir', dir, '--output', 'json'])).stdout,
    ) as {
      problems: readonly { code: string; at: { path: string }; hint: string }[];
    };
    expect(problems.map(({ code, at, hint }) => [code, at.path, hint])).toEqual([
      ['config/cluster-name', 'metadata.name', 'fill it in'],
      ['config/base-domain', 'baseDomain', 'fill it in'],
      ['config/network-address', 'networking.machineNetwork[0].cidr', 'fill it in'],
      [
        'config/missing-field',
        'pullSecret',
        'Registry credentials, as JSON in single quotes: the pull secret from console.redhat.com, with the credentials of your mirrors',
      ],
      [
        'config/bootstrap-in-place',
        'bootstrapInPlace',
        'add "bootstrapInPlace:" and below it "  installationDisk: /dev/disk/by-id/…", or describe the disk in rootDeviceHints of sno-config.yaml',
      ],
    ]);
  });

  it.each(['install-config first', 'sno-config first'])(
    'leaves out a disk by its serial number, %s',
    async (order) => {
      const dir = scratchFolder();
      const secret = join(scratchFolder(), 'pull-secret.json');
      writeFileSync(secret, pullSecret);
      const create = (...options: readonly string[]): ReturnType<typeof snoInProcess> =>
        snoInProcess(['create', ...options, '--dir', dir]);
      const commands = [
        [
          'install-config',
          '--name',
          'edge7',
          '--base-domain',
          'example.com',
          '--machine-network',
          '192.168.126.0/24',
          '--pull-secret-file',
          secret,
        ],
        ['sno-config', '--disk-serial', 'S6ESNX0R100123'],
      ];
      if (order === 'sno-config first') commands.reverse();
      const results = [];
      for (const command of commands) results.push(await create(...command));
      const [install] = order === 'sno-config first' ? results.toReversed() : results;

      expect(results.map(({ code, stderr }) => [code, stderr])).toEqual([
        [0, ''],
        [0, ''],
      ]);
      const open = order === 'sno-config first' ? 'sshKey' : 'bootstrapInPlace.installationDisk, sshKey';
      expect(install?.stdout).toContain(`\nFill in: ${open}.\n`);
      expect(await snoInProcess(['validate', '--dir', dir])).toEqual({
        code: 0,
        stdout: 'no problems found\n',
        stderr: '',
      });
    },
  );

  it('rejects a disk that sno-config.yaml describes too: config/given-twice', async () => {
    const dir = scratchFolder();
    await snoInProcess(['create', 'sno-config', '--dir', dir, '--disk-serial', 'S6ESNX0R100123']);
    const disk = ['--installation-disk', '/dev/disk/by-id/wwn-0x1'];
    const { code, stderr } = await snoInProcess(['create', 'install-config', '--dir', dir, ...disk]);
    expect([code, stderr, Object.keys(snapshot(dir))]).toEqual([
      1,
      'error[config/given-twice]: --installation-disk: sno-config.yaml describes the installation disk already, in rootDeviceHints\n' +
        '   = hint: remove rootDeviceHints from sno-config.yaml, or leave out --installation-disk\n\n1 error; nothing was written\n',
      ['sno-config.yaml'],
    ]);
  });

  it('refuses what validate would refuse, by the option that gave it', async () => {
    const dir = scratchFolder();
    writeFileSync(
      join(dir, 'id'),
      '-----BEGIN OPENSSH PRIVATE KEY-----\nthrowaway\n-----END OPENSSH PRIVATE KEY-----\n',
    );
    writeFileSync(join(dir, 'hosts'), '127.0.0.1 localhost\n');
    const { code, stderr } = await snoInProcess([
      ...[
        'create',
        'install-config',
        '--dir',
        join(dir, 'site'),
        '--name',
        'SITE_1',
        '--installation-disk',
        'sda',
      ],
      ...['--ssh-key-file', join(dir, 'id'), '--pull-secret-file', join(dir, 'hosts')],
    ]);

    expect(code).toBe(1);
    expect(stderr).toBe(
      `error[config/cluster-name]: --name: metadata.name "SITE_1" is not a cluster name: it has upper-case letters\n\n` +
        `error[config/installation-disk]: --installation-disk: installationDisk "sda" is not a path below /dev\n   = hint: write "/dev/sda"\n\n` +
        `error[config/pull-secret]: --pull-secret-file: pullSecret is not JSON: unexpected character at line 1, column 6 of its text\n   = hint: download it again from https://console.redhat.com/openshift/install/pull-secret\n\n` +
        `error[config/ssh-key]: --ssh-key-file: line 1 of sshKey is not a public key: it is a private key; the public one ends in ".pub"\n   = hint: paste the line of a file such as ~/.ssh/id_ed25519.pub\n\n` +
        '4 errors; nothing was written\n',
    );
    expect(Object.keys(snapshot(dir)).filter((path) => path.startsWith('site'))).toEqual([]);
  });

  it('reads keys and pull secret from files', async () => {
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

    const { code } = await snoInProcess(['create', 'install-config', '--dir', scratch, ...files]);

    const text = readFileSync(join(scratch, 'install-config.yaml'), 'utf8');
    expect(code).toBe(0);
    expect(text).toContain(`pullSecret: '${pullSecret}'\n`);
    expect(text).toContain(`sshKey: |\n  ${key}\n`);
  });

  it('writes networks, proxy, certificates and mirrors from options', async () => {
    const dir = scratchFolder();
    writeFileSync(
      join(dir, 'pull-secret.json'),
      pullSecret.replace('{"quay.io":', '{"registry.example.com":{"auth":"YTpi"},"quay.io":'),
    );
    const options = [
      ...[
        '--name',
        'edge7',
        '--base-domain',
        'example.com',
        '--installation-disk',
        '/dev/disk/by-id/wwn-0x1',
      ],
      ...['--machine-network', '192.168.126.0/24', '--cluster-network', '10.200.0.0/14'],
      ...['--service-network', '172.31.0.0/16', '--http-proxy', 'http://proxy.example.com:3128'],
      ...['--https-proxy', 'http://proxy.example.com:3129', '--no-proxy', 'direct.example.com,10.0.0.0/8'],
      ...['--mirror', 'quay.io/a=registry.example.com/a', '--mirror', 'quay.io/b=registry.example.com/b'],
      ...['--pull-secret-file', join(dir, 'pull-secret.json')],
    ];
    const created = await snoInProcess(['create', 'install-config', '--dir', dir, ...options]);
    const text = readFileSync(join(dir, 'install-config.yaml'), 'utf8');

    expect([created.code, created.stderr]).toEqual([0, '']);
    for (const value of options.filter((each) => !/^--|=|pull-secret/.test(each)))
      expect(text).toContain(value);
    expect(text).toContain('  - source: quay.io/b\n    mirrors:\n      - registry.example.com/b\n');
    expect(await snoInProcess(['validate', '--dir', dir])).toMatchObject({ code: 0 });

    const wrong = await snoInProcess([
      ...['create', 'install-config', '--dir', join(dir, 'site'), '--http-proxy', 'proxy:3128'],
      ...['--mirror', 'a b=c', '--additional-trust-bundle-file', join(dir, 'pull-secret.json')],
    ]);
    expect(wrong.code).toBe(1);
    for (const option of ['--http-proxy', '--mirror', '--additional-trust-bundle-file'])
      expect(wrong.stderr).toContain(`]: ${option}: `);
  });

  it('never overwrites: dir/file-exists', async () => {
    const dir = scratchFolder();
    writeFileSync(join(dir, 'install-config.yaml'), 'mine');

    const { code, stderr } = await snoInProcess(['create', 'install-config', '--dir', dir]);

    expect([code, readFileSync(join(dir, 'install-config.yaml'), 'utf8')]).toEqual([1, 'mine']);
    expect(stderr).toBe(
      `error[dir/file-exists]: ${dir}/install-config.yaml already exists and is not overwritten\n` +
        '   = hint: edit the existing file, or choose another directory with --dir\n\n1 error; nothing was written\n',
    );
  });

  it('reports an unreadable file: usage/unreadable-file', async () => {
    const dir = scratchFolder();
    mkdirSync(join(dir, 'folder'));

    const { code, stderr } = await snoInProcess([
      ...['create', 'install-config', '--dir', dir],
      ...['--ssh-key-file', join(dir, 'missing'), '--pull-secret-file', join(dir, 'folder')],
    ]);

    expect(code).toBe(2);
    expect(stderr).toBe(
      unreadable('--ssh-key-file', `${dir}/missing`, 'it does not exist') +
        unreadable('--pull-secret-file', `${dir}/folder`, 'it is a folder, not a file') +
        '2 errors; nothing was written\n',
    );
    expect(Object.keys(snapshot(dir))).toEqual([]);
  });

  it('rejects files that a config cannot refer to: usage/unreadable-file', async () => {
    const dir = scratchFolder();
    const auths = Object.fromEntries(
      Array.from({ length: 30_000 }, (_, index) => [`r${index}.example.com`, { auth: 'YTpi' }]),
    );
    writeFileSync(join(dir, 'secret'), JSON.stringify({ auths }));
    writeFileSync(join(dir, 'id'), `ssh-ed25519 AAAA\n`.repeat(100_000));
    const command = ['create', 'install-config', '--dir', join(dir, 'new')];

    const { code, stderr } = await snoInProcess([
      ...command,
      ...['--ssh-key-file', join(dir, 'id'), '--pull-secret-file', join(dir, 'secret')],
    ]);

    expect([code, stderr]).toEqual([
      2,
      unreadable('--ssh-key-file', `${dir}/id`, 'it is larger than 1048576 bytes') +
        unreadable('--pull-secret-file', `${dir}/secret`, 'it is larger than 1048576 bytes') +
        '2 errors; nothing was written\n',
    ]);
  });
});
