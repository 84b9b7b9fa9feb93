import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import { snapshot } from '../../support/command.js';
import { snoInProcess, type CommandOutput } from '../../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

const namespace = 'sno-install-receipt';

describeWith(['ssh-keygen'], 'a receipt that is signed', () => {
  /** A folder with the keys `ci`, `other` and `closed`, and with `site`, created with `--sign-key ci`. */
  let base = '';
  const create = (site: string, ...more: readonly string[]): Promise<CommandOutput> =>
    snoInProcess(['create', 'single-node-ignition-config', '--dir', site, ...more], { cwd: base });
  beforeAll(async () => {
    base = scratchFolder();
    for (const [name, type, passphrase] of [
      ['ci', 'ed25519', ''],
      ['other', 'ecdsa', ''],
      ['closed', 'ed25519', 'a passphrase'],
    ] as const)
      spawnSync('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-C', '', '-f', join(base, name)]);
    const [ci, other] = ['ci', 'other'].map((name) => readFileSync(join(base, `${name}.pub`), 'utf8'));
    writeFileSync(
      join(base, 'allowed'),
      `# who may sign\nci@example.com namespaces="${namespace}" ${ci ?? ''}other@example.com namespaces="git" ${other ?? ''}`,
    );
    mkdirSync(join(base, 'site'));
    writeFileSync(join(base, 'site/install-config.yaml'), minimalInstallConfig);
    const quick = snoConfigText('certificates: {keyAlgorithm: ECDSA-P256}\n');
    writeFileSync(join(base, 'site/sno-config.yaml'), quick);
    expect(await create('site', '--sign-key', 'ci')).toMatchObject({ code: 0, stderr: '' });
  });
  const copy = (): string => {
    const folder = scratchFolder();
    cpSync(join(base, 'site'), folder, { recursive: true });
    return folder;
  };
  const real = (folder: string, who = 'ci@example.com'): string => {
    const args = ['-Y', 'verify', '-f', join(base, 'allowed'), '-I', who, '-n', namespace];
    const { status, stdout, stderr } = spawnSync(
      'ssh-keygen',
      [...args, '-s', join(folder, 'receipt.json.sig')],
      {
        input: readFileSync(join(folder, 'receipt.json')),
        encoding: 'utf8',
      },
    );
    return status === 0 ? 'good' : `${stdout}${stderr}`;
  };
  const verify = async (folder: string, ...more: readonly string[]): Promise<readonly string[]> => {
    const { code, stdout } = await snoInProcess(['verify', folder, ...more, '--output', 'json']);
    const { problems, receipts } = JSON.parse(stdout) as {
      readonly problems: readonly { readonly code: string; readonly message: string }[];
      readonly receipts: readonly { readonly signature?: { readonly signer?: string } }[];
    };
    return [
      String(code),
      ...problems.map((each) => `${each.code}: ${each.message}`),
      ...receipts.map(({ signature }) => signature?.signer ?? (signature ? 'somebody' : 'nobody')),
    ];
  };
  const signing = (who?: string): readonly string[] => [
    ...['--allowed-signers', join(base, 'allowed')],
    ...(who === undefined ? [] : ['--signer', who]),
  ];

  it('is accepted by ssh-keygen and by verify', async () => {
    const site = join(base, 'site');
    expect(real(site)).toBe('good');
    expect(await verify(site)).toEqual(['0', 'somebody']);
    expect(await verify(site, ...signing())).toEqual(['0', 'ci@example.com']);
    expect(await verify(site, ...signing('ci@example.com'))).toEqual(['0', 'ci@example.com']);
    const { stdout } = await snoInProcess(['verify', site, ...signing()]);
    expect(stdout).toMatch(/\n {2}signed by ci@example.com \(ssh-ed25519 SHA256:[\w+/]{43}\)\n$/);
  });

  it('by ssh-keygen is accepted by verify', async () => {
    const folder = copy();
    rmSync(join(folder, 'receipt.json.sig'));
    spawnSync('ssh-keygen', [
      '-Y',
      'sign',
      '-q',
      '-f',
      join(base, 'ci'),
      '-n',
      namespace,
      join(folder, 'receipt.json'),
    ]);
    expect(await verify(folder, ...signing('ci@example.com'))).toEqual(['0', 'ci@example.com']);
  });

  it('stays as it is in a second run, with the key and without', async () => {
    const folder = copy();
    const before = snapshot(folder);
    for (const more of [[], ['--sign-key', 'ci']]) {
      expect((await create(folder, ...more)).code).toBe(0);
      expect(snapshot(folder)).toEqual(before);
    }
  });

  it('loses its signature with the first unsigned change', async () => {
    const folder = copy();
    const config = join(folder, 'install-config.yaml');
    writeFileSync(config, minimalInstallConfig.replace('192.168.126.0', '192.168.127.0'));
    expect((await create(folder)).stdout).toMatch(/receipt\.json\.sig +- +- +removed/);
    expect(existsSync(join(folder, 'receipt.json.sig'))).toBe(false);
    expect(await verify(folder)).toEqual(['0', 'nobody']);
    expect(await verify(folder, ...signing())).toEqual([
      '1',
      'receipt/signature: the receipt is not signed',
      'nobody',
    ]);
    expect((await create(folder, '--sign-key', 'ci')).stdout).toMatch(/receipt\.json\.sig +0644 .* written/);
    expect(real(folder)).toBe('good');
  });

  it('is reported and kept if another program wrote it for an earlier receipt', async () => {
    const folder = copy();
    rmSync(join(folder, 'receipt.json.sig'));
    const sign = [
      '-Y',
      'sign',
      '-q',
      '-f',
      join(base, 'other'),
      '-n',
      namespace,
      join(folder, 'receipt.json'),
    ];
    spawnSync('ssh-keygen', sign);
    const signed = readFileSync(join(folder, 'receipt.json.sig'));
    expect(await create(folder)).toMatchObject({ code: 0, stderr: '' });
    const config = join(folder, 'install-config.yaml');
    writeFileSync(config, minimalInstallConfig.replace('192.168.126.0', '192.168.127.0'));

    expect((await create(folder)).stderr).toContain(
      'warning[receipt/stale-signature]: receipt.json.sig belongs to an earlier receipt.json and was kept, because ',
    );
    expect(readFileSync(join(folder, 'receipt.json.sig'))).toEqual(signed);
    expect((await verify(folder))[1]).toContain('receipt/signature: the signature is not valid');
  });

  it('is replaced once by a signature of another key', async () => {
    const folder = copy();
    expect((await create(folder, '--sign-key', 'other')).stdout).toMatch(/receipt\.json\.sig .* written/);
    const signed = readFileSync(join(folder, 'receipt.json.sig'), 'utf8');
    // ECDSA signatures differ each time.
    expect((await create(folder, '--sign-key', 'other')).code).toBe(0);
    expect(readFileSync(join(folder, 'receipt.json.sig'), 'utf8')).toBe(signed);
  });

  it('by a key that may not sign for this is refused, at its line', async () => {
    const folder = copy();
    await create(folder, '--sign-key', 'other');
    expect(await verify(folder)).toEqual(['0', 'somebody']);
    expect(await verify(folder, ...signing())).toEqual([
      '1',
      expect.stringContaining(
        'receipt/signer: the signer is not allowed: its key may not sign for sno-install-receipt (ecdsa-',
      ),
      'nobody',
    ]);
    const { stderr } = await snoInProcess(['verify', folder, ...signing()]);
    expect(stderr).toMatch(/--> .*allowed:3:1\n/);
    expect(real(folder, 'other@example.com')).toContain('not permitted');
  });

  it('is refused where it, or its signature, was changed', async () => {
    const folder = copy();
    const path = join(folder, 'receipt.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"infraID": "s', '"infraID": "t'));
    expect(await verify(folder)).toEqual([
      '1',
      'receipt/signature: the signature is not valid: it is not of this receipt',
      'nobody',
    ]);
    expect(real(folder)).not.toBe('good');
    writeFileSync(join(folder, 'receipt.json.sig'), 'hello\n');
    expect((await verify(folder))[1]).toBe(
      'receipt/signature: the signature is not valid: it is not an SSH signature',
    );
  });

  it('is not possible with a key that has a passphrase; a hint is printed', async () => {
    const { code, stderr } = await create('site', '--sign-key', 'closed');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'error[receipt/sign-key]: --sign-key has a passphrase, which is not supported here',
    );
    expect(stderr).toContain(`ssh-keygen -Y sign -n ${namespace} -f KEY receipt.json`);
  });

  it('requires a signer with an allowed-signers file', async () => {
    const { code, stderr } = await snoInProcess(['verify', base, '--signer', 'ci@example.com']);
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toContain('--signer requires --allowed-signers');
  });
});
