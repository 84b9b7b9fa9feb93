import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readSiteRecord, recordFile } from '../../src/disk/site-record/site-record.js';
import { readTrusted, whyUntrusted } from '../../src/disk/trust.js';
import { fleetFolder } from '../fleet/files.js';
import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';

const isRoot = process.geteuid?.() === 0;

describe.skipIf(!isRoot)('a file with mode and owner', () => {
  // A number that no user of this machine has.
  const user = 47_110;
  const cases: readonly {
    readonly name: string;
    readonly mode: number;
    readonly uid: number;
    readonly gid: number;
    readonly want?: string;
  }[] = [
    { name: 'of the owner of the folder', mode: 0o600, uid: user, gid: user },
    { name: 'of root', mode: 0o644, uid: 0, gid: 0 },
    { name: 'of a private group, as Git writes it with umask 002', mode: 0o664, uid: user, gid: user },
    {
      name: 'of a shared group',
      mode: 0o664,
      uid: user,
      gid: user + 1,
      want: 'other users can write to it (mode 0664)',
    },
    {
      name: 'of the group of root',
      mode: 0o664,
      uid: 0,
      gid: 0,
      want: 'other users can write to it (mode 0664)',
    },
    {
      name: 'that all can write',
      mode: 0o666,
      uid: user,
      gid: user,
      want: 'other users can write to it (mode 0666)',
    },
    {
      name: 'of a third user',
      mode: 0o600,
      uid: user + 1,
      gid: user,
      want: `it belongs to user ${user + 1}, neither you nor the owner of its folder`,
    },
  ];
  it.each(cases)('$name', ({ mode, uid, gid, want }) => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'record'), 'x');
    chownSync(folder, user, user);
    chownSync(join(folder, 'record'), uid, gid);
    chmodSync(join(folder, 'record'), mode);
    expect(whyUntrusted(statSync(join(folder, 'record')), folder)).toBe(want);
    expect(readTrusted(folder, 'record').kind).toBe(want === undefined ? 'file' : 'unreadable');
  });
});

describe('a record that other users can change', () => {
  const names = [
    '.sno-install-fleet-key',
    'fleet.json',
    'boot.json',
    'rollout.json',
    'reinstall.json',
    'upgrade.json',
  ];

  it.each(names)('stops the commands of a fleet: %s', async (name) => {
    const dir = fleetFolder();
    mkdirSync(join(dir, 'out'));
    const path = join(dir, 'out', name);
    writeFileSync(path, '{}');
    chmodSync(path, 0o666);
    for (const command of [['status'], ['create']]) {
      const { code, stderr } = await snoInProcess(['fleet', ...command, '--dir', dir]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(
          `error[dir/untrusted]: the record ${name} is not used: other users can write to it (mode 0666)\n` +
            `  --> ${path}\n` +
            `   = hint: if its content is yours, run \`chmod go-w ${path}\` or correct its owner with \`chown\`\n`,
        ),
      ]);
    }
  });

  it('is not used as the record of a site, which is then created again', async () => {
    const dir = fleetFolder();
    const site = join(dir, 'out/north-1');
    mkdirSync(site, { recursive: true });
    const record = recordFile({
      ...{ program: 'a', questions: [], fingerprint: 'a', issued: '2026-01-01T00:00:00Z' },
      ...{ warnings: [], state: 'a', outputs: [] },
    });
    writeFileSync(join(site, record.path), record.contents);
    chmodSync(join(site, record.path), 0o600);
    expect(readSiteRecord(site)?.fingerprint).toBe('a');
    chmodSync(join(site, record.path), 0o606);
    expect(readSiteRecord(site)).toBeUndefined();
    expect((await snoInProcess(['fleet', 'status', '--dir', dir])).stdout).toContain(
      'outdated: other users can change the record .sno-install-site.json (`chmod go-w`): north-1',
    );
  });

  it.each(['.sno-install-serve.json', 'receipt.json'])(
    'is refused by the command that reads it: %s',
    async (name) => {
      const path = join(scratchFolder(), name);
      writeFileSync(path, '{}');
      chmodSync(path, 0o666);
      const args =
        name === 'receipt.json'
          ? ['verify', path]
          : ['fleet', 'serve', '--tokens', path, '--iso', path, '--print-urls', '--dir', fleetFolder()];
      const { code, stderr } = await snoInProcess(args);
      expect([code, stderr]).toEqual([1, expect.stringContaining('other users can write to it (mode 0666)')]);
    },
  );
});
