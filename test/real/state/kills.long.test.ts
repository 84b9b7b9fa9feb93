import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it, vi } from 'vitest';

import { ageKeys } from '../../support/age-keys.js';
import { sno } from '../../support/command.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { scratchFolder } from '../../support/scratch.js';
import { throwawayState } from '../../support/throwaway-state.js';
import { scaledMs } from '../../support/time-scale.js';

vi.setConfig({ testTimeout: scaledMs(600_000) });

const killer = ['--import', resolve('test/support/kill-at.mjs')];
const { recipient, identity } = ageKeys.ours;
const configWith = (more: string): string =>
  snoConfigText(`state: { recipients: [${recipient}], encryptOutputs: true }\n${more}`);

/** Generated values that no output uses. */
const canaryValues = {
  'a/canary': 'canary-at-the-beginning',
  'key/rsa-2048/tls/canary': 'canary-in-the-middle',
  'z/canary': 'canary-at-the-end',
};

/** Texts that identify a decrypted state. */
const ofState = [...Object.values(canaryValues), '"generatedValuesDigest"', '"key/rsa-2048/tls/root-ca"'];

/** Texts that identify a decrypted Ignition config, kubeconfig or key. */
const ofOutputs = ['"ignition":', 'client-key-data', 'PRIVATE KEY'];
const canaries = [...ofState, ...ofOutputs];

/** Files below a folder that contain parts of a state or secret output as plain text. */
function leaksIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return files.filter((path) => {
    const text = readFileSync(path, 'latin1');
    return canaries.some((canary) => text.includes(canary));
  });
}

describe('with recipients, no plain text of the state and of outputs', () => {
  let state = '';
  beforeAll(async () => {
    state = await throwawayState({ 'install-config.yaml': minimalInstallConfig }, canaryValues);
  });

  it('is found in the directory after a kill at any moment, of a first run and of a later one', () => {
    const scratch = scratchFolder();
    const key = join(scratch, 'key.txt');
    const other = join(scratch, 'state.json');
    writeFileSync(key, identity, { mode: 0o600 });
    writeFileSync(other, state, { mode: 0o600 });
    const fresh = join(scratch, 'fresh');
    mkdirSync(fresh);
    writeFileSync(join(fresh, 'install-config.yaml'), minimalInstallConfig);
    writeFileSync(join(fresh, 'sno-config.yaml'), configWith(''));
    const create = ['create', 'single-node-ignition-config', '--identity', key];
    const first = [...create, '--state', other];

    const later = join(scratch, 'later');
    cpSync(fresh, later, { recursive: true });
    expect(sno([...first, '--dir', later])).toMatchObject({ code: 0, stderr: '' });
    expect(leaksIn(later)).toEqual([]);
    expect(readdirSync(later)).toContain('worker.ign.age');
    const plain = join(scratch, 'plain');
    cpSync(later, plain, { recursive: true });
    expect(sno([...create, '--no-encrypt-outputs', '--dir', plain])).toMatchObject({ code: 0, stderr: '' });
    expect(leaksIn(plain)).toHaveLength(3);
    rmSync(plain, { recursive: true });
    expect(leaksIn(scratch), 'they are seen where they are').toEqual([other]);
    writeFileSync(join(later, 'sno-config.yaml'), configWith('certificates: { backdate: 2h }\n'));

    const kills = [
      { from: fresh, command: first },
      { from: later, command: create },
    ].map(({ from, command }) => killEverywhere(from, command));
    expect(Math.min(...kills)).toBeGreaterThan(20);
  });

  /** Kills the command at each call that changes the file system, each time on a copy of the folder. Returns the number of kills. */
  function killEverywhere(from: string, command: readonly string[]): number {
    const dir = join(from, '../killed');
    for (let killAt = 1; ; killAt += 1) {
      rmSync(dir, { recursive: true, force: true });
      cpSync(from, dir, { recursive: true });
      const killed = sno([...command, '--dir', dir], {
        nodeArguments: killer,
        variables: { KILL_AT: String(killAt) },
      });
      expect(leaksIn(dir), `after a kill at change ${killAt}`).toEqual([]);
      if (killed.signal === null) {
        expect(killed).toMatchObject({ code: 0, stderr: '' });
        return killAt - 1;
      }
    }
  }
});
