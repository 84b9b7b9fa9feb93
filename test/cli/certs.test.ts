import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { cpioArchive, cpioType } from '../../src/formats/cpio.js';
import { dataUrl } from '../../src/formats/data-url.js';
import { areaBytes, liveIso } from '../media/support/live-iso.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';

/** Valid from 2026-01-02 to 2026-01-03. */
const sample = readFileSync('test/review/sample-certificate.pem', 'utf8');
const config = JSON.stringify({
  ignition: { version: '3.2.0' },
  storage: { files: [{ path: '/etc/a.crt', contents: { source: dataUrl(sample) } }] },
});

/** A folder with the same certificate in every supported form, among files without certificates. */
function folderOfMany(): string {
  const folder = scratchFolder();
  const area = Buffer.alloc(areaBytes);
  const member = { path: 'config.ign', mode: cpioType.file | 0o600, contents: Buffer.from(config) };
  cpioArchive([member]).copy(area);
  mkdirSync(join(folder, 'site/auth'), { recursive: true });
  mkdirSync(join(folder, 'none'));
  writeFileSync(join(folder, 'site/live.iso'), liveIso({ 'IMAGES/IGNITION.IMG': area }));
  writeFileSync(join(folder, 'site/node.ign'), config);
  writeFileSync(join(folder, 'site/auth/ca.pem'), sample);
  writeFileSync(join(folder, 'site/bundle.tar.gz'), Buffer.from('1f8b08000000', 'hex'));
  writeFileSync(join(folder, 'site/.hidden.pem'), sample);
  symlinkSync('..', join(folder, 'site/loop'));
  symlinkSync('nowhere', join(folder, 'site/dangling'));
  writeFileSync(join(folder, 'none/notes.txt'), 'nothing');
  return folder;
}

async function certs(cwd: string, time: string, ...args: readonly string[]): Promise<CommandOutput> {
  const variables = { SOURCE_DATE_EPOCH: String(Date.parse(time) / 1000) };
  return await snoInProcess(['certs', ...args], { cwd, variables });
}

describe('certs', () => {
  test('lists the certificates in each file of a folder with their expiry dates', async () => {
    const { code, stdout, stderr } = await certs(folderOfMany(), '2026-01-02T20:00:00Z', '--dir', 'site');

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: [
        'warning[certs/not-searched]: site/dangling was not searched: it is a symbolic link to a file that does not exist',
        '  --> site/dangling',
        '   = hint: restore the file, or remove it',
        '',
      ].join('\n'),
    });
    expect(stdout.replace(/[0-9a-f]{8}, server/, 'FINGERPRINT, server')).toBe(
      [
        '2026-01-03T00:00:00Z  4 h left  O=system:masters, CN=system:admin',
        '    signed by OU=openshift, CN=sample-signer (not listed here)',
        '    not a CA, ec-prime256v1 FINGERPRINT, server, client',
        '    names DNS:localhost, IP Address:127.0.0.1',
        '    in site/auth/ca.pem',
        '    in site/live.iso:/etc/a.crt',
        '    in site/node.ign:/etc/a.crt',
        '',
        '1 certificate in 3 files; first expiry: 2026-01-03T00:00:00Z (4 h left)',
        '',
      ].join('\n'),
    );
  });

  test('reports expiring certificates by its exit code', async () => {
    const folder = folderOfMany();
    const time = '2026-01-02T20:00:00Z';
    const listed = await certs(folder, time, 'site/node.ign', '--warn-before', '4h', '--output', 'json');

    expect(await certs(folder, time, 'site/node.ign', '--warn-before', '3h')).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(listed.code).toBe(1);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'certs/ends-soon',
          message: 'O=system:masters, CN=system:admin expires at 2026-01-03T00:00:00Z (4 h left)',
          at: { file: 'site/node.ign' },
        },
      ],
      certificates: [{ notAfter: '2026-01-03T00:00:00Z', secondsLeft: 4 * 3600 }],
    });
    const expired = await certs(folder, '2026-01-04T00:00:00Z', 'site/node.ign', '--warn-before', '0s');
    expect(expired.code).toBe(1);
    expect(expired.stderr).toContain('error[certs/ended]');
    expect(expired.stdout).toContain('expired 24 h ago');
  });

  test('reports unreadable files', async () => {
    const folder = folderOfMany();
    const time = '2026-01-02T20:00:00Z';
    const listed = await certs(folder, time, 'none', 'site');
    expect(listed).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error[certs/none]: no certificates in none') as string,
    });
    expect(listed.stdout).toContain('1 certificate in 3 files');
    expect((await certs(folder, time, 'none')).stdout).toBe('');
    expect(await certs(folder, time, 'gone.pem')).toMatchObject({ code: 2, stdout: '' });
    expect((await certs(folder, time, 'site', '--warn-before', 'soon')).code).toBe(2);
    expect(
      (await snoInProcess(['certs', 'site'], { cwd: folder, variables: { SOURCE_DATE_EPOCH: 'now' } })).code,
    ).toBe(2);
  });
});
