import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { keyedSite, type LaySite } from '../../cli/keyed-site.js';
import { fleetFolder, fleetText } from '../../fleet/files.js';
import { liveIso } from '../../media/support/live-iso.js';
import { ageKeys } from '../../support/age-keys.js';
import { snapshot, sno, type CommandResult } from '../../support/command.js';

const nodeArguments = ['--import', resolve('test/support/lacking-calls.mjs')];
const create = ['create', 'single-node-ignition-config'];

let laid: LaySite;
beforeAll(async () => {
  laid = await keyedSite();
});

/** Runs the command with file system calls that fail. */
function without(
  cwd: string,
  args: readonly string[],
  variables: Record<string, string> = {},
): CommandResult {
  return sno(args, { cwd, nodeArguments, variables });
}

const silent = { code: 0, stderr: '' };

describe('a file system without links, sockets, permissions and fsync of folders', () => {
  it.each([undefined, 'EPERM', 'ENOSYS', 'EOPNOTSUPP'])(
    'gets the same bytes as any other; a second run changes nothing (chmod: %s)',
    (chmod) => {
      const variables = chmod === undefined ? {} : { LACKING_CHMOD: chmod };
      const dir = laid({});
      expect(without(dir, create, variables)).toMatchObject(silent);
      const again = without(dir, create, variables);

      expect(again).toMatchObject(silent);
      expect(again.stdout).not.toContain('written');
      expect(statSync(join(dir, 'worker.ign')).mode & 0o777).toBe(0o700);
      expect(readdirSync(dir).filter((name) => /pending|lock/.test(name))).toEqual([]);
      // On a file system with permissions, the next run corrects the mode and keeps the bytes.
      const elsewhere = sno(create, { cwd: dir });
      expect(elsewhere).toMatchObject(silent);
      expect(statSync(join(dir, 'worker.ign')).mode & 0o777).toBe(0o600);
    },
  );

  it('warns that other users can read the keys, if the mount allows it', () => {
    const dir = laid({});
    const variables = { LACKING_MODE: '777' };
    for (let run = 1; run <= 2; run += 1) {
      const { code, stderr } = without(dir, create, variables);
      expect([code, stderr]).toEqual([
        0,
        'warning[dir/state-exposed]: other users can read .sno-install-state.json, and its mode cannot be changed: ' +
          'the file system has no permissions\n  --> .sno-install-state.json\n' +
          '   = hint: it contains every private key of the cluster: mount it with umask=077, ' +
          'use another directory, or encrypt state and outputs\n',
      ]);
    }
  });

  it('creates an ISO, but never over an existing file', () => {
    const dir = laid({ 'live.iso': liveIso() });
    const iso = ['create', 'single-node-iso', '--iso', 'live.iso'];
    expect(without(dir, iso).code).toBe(0);
    writeFileSync(join(dir, 'mine.iso'), 'of the user');

    expect(without(dir, [...iso, '--out', 'mine.iso'])).toMatchObject({ code: 1 });
    expect(readFileSync(join(dir, 'mine.iso'), 'utf8')).toBe('of the user');
    expect(sno([...iso, '--out', 'other.iso'], { cwd: dir }).code).toBe(0);
    expect(readFileSync(join(dir, 'single-node.iso'))).toEqual(readFileSync(join(dir, 'other.iso')));
  });

  it('stores an encrypted state and renders a tree', () => {
    const dir = laid({ identity: ageKeys.ours.identity });
    const { recipient } = ageKeys.ours;
    expect(without(dir, [...create, '--recipient', recipient, '--encrypt-outputs'])).toMatchObject(silent);
    expect(without(dir, [...create, '--identity', 'identity']).stdout).not.toContain('written');
    for (let run = 1; run <= 2; run += 1)
      expect(without(dir, ['golden', '--out', 'tree', '--identity', 'identity'])).toMatchObject(silent);
    expect(readdirSync(join(dir, 'tree'))).toContain('index.txt');
  });

  it('can store a fleet', () => {
    const dir = fleetFolder({
      'fleet.yaml': fleetText(`recipients: [${ageKeys.ours.recipient}]\n`),
      identity: ageKeys.ours.identity,
    });
    expect(without(dir, ['fleet', 'create', '--identity', 'identity'])).toMatchObject(silent);
    const made = snapshot(join(dir, 'out'));

    expect(without(dir, ['fleet', 'create']).stdout).toMatch(/^ +2 {2}unchanged/m);
    expect(snapshot(join(dir, 'out'))).toEqual(made);
    expect(without(dir, ['fleet', 'status'])).toMatchObject(silent);
  });
});
