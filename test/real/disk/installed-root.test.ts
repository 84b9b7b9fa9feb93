import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { describeWithIgnition, layWithIgnition, validateWithIgnition } from '../../support/real-ignition.js';
import { scratchFolder } from '../../support/scratch.js';
import { masterIgnition } from '../../shell/disk/installed-machine.js';
import { put } from '../../shell/disk/machine.js';
import { filesBelow } from '../../shell/support/machine-traces.js';
import { nodeFileRows } from '../../shell/disk/node-files.js';
import { readIgnition } from '../../shell/disk/read-ignition.js';

describeWith(['systemctl'], 'the installed disk', () => {
  describeWithIgnition('as the real Ignition lays it from the merged config', () => {
    test('has every file with its bytes and mode, and systemd enables our units', () => {
      const ignition = masterIgnition();
      expect(validateWithIgnition(ignition)).toBe('');
      const root = layWithIgnition(ignition, scratchFolder());
      const { config, files } = readIgnition(ignition);
      expect(files.map(({ path }) => [path, modeOf(root, path), textOf(root, path)])).toEqual(
        files.map(({ path, mode, text }) => [path, mode, text]),
      );
      expect(config.storage.directories.map(({ path }) => [path, modeOf(root, path)])).toEqual(
        config.storage.directories.map(({ path, mode }) => [path, mode]),
      );
      expect(textOf(root, '/var/lib/kubelet/config.json')).toBe('{"auths":{}}');

      enableUnits(root);
      for (const { mode, source, path } of nodeFileRows) {
        const isLink = mode === '-' && path.startsWith('/etc/systemd/system/');
        if (isLink) expect([path, lstatSync(join(root, path)).isSymbolicLink()]).toEqual([path, true]);
        if (mode === 'preset') expect(textOf(root, path)).toContain(`enable ${source}\n`);
      }
    });

    test('contains after the cleanup only the files in the list', () => {
      const root = layWithIgnition(masterIgnition(), scratchFolder());
      const before = new Set(filesBelow(root));
      enableUnits(root);
      put(join(root, 'var/lib/etcd/member/snap/db'), 'the cluster');
      put(join(root, 'var/log/openshift/bootkube.json'), '[]');
      put(join(root, 'etc/issue.d/71_sno-post-reboot.issue'), 'waiting');
      for (const program of ['systemctl', 'systemd-run'])
        writeFileSync(join(root, '../tools', program), '#!/bin/sh\n', { mode: 0o755 });
      const { status } = spawnSync('bash', [join(root, 'usr/local/bin/sno-node-cleanup.sh')], {
        env: { PATH: `${join(root, '../tools')}:/usr/bin:/bin`, SNO_ROOT: root },
      });
      expect(status).toBe(0);
      const removed = nodeFileRows.filter(({ fate, mode }) => fate !== 'keep' && mode !== 'preset');
      expect(removed.filter(({ path }) => existsSync(join(root, path)))).toEqual([]);
      const kept = nodeFileRows.filter(({ fate }) => fate === 'keep').map(({ path }) => path);
      expect(kept.filter((path) => !existsSync(join(root, path)))).toEqual([]);
      const left = filesBelow(root).filter((path) => !before.has(path));
      expect(left.filter((path) => !/\/(multi-user\.target|kubelet\.service)$/.test(path))).toEqual([
        'var/lib/etcd/member/snap/db',
      ]);
      expect(textOf(root, '/etc/systemd/system-preset/20-ignition.preset')).not.toMatch(/bootkube|sno-/);
    });
  });
});

function modeOf(root: string, path: string): number {
  return statSync(join(root, path)).mode & 0o7777;
}

function textOf(root: string, path: string): string {
  return readFileSync(join(root, path), 'latin1');
}

/** Enables units by their presets, as systemd does at the first boot. */
function enableUnits(root: string): void {
  const folder = join(root, 'usr/lib/systemd/system');
  mkdirSync(folder, { recursive: true });
  cpSync('/usr/lib/systemd/system/multi-user.target', join(folder, 'multi-user.target'));
  const { status, stderr } = spawnSync(
    'systemctl',
    [`--root=${root}`, 'preset-all', '--preset-mode=enable-only'],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
}
