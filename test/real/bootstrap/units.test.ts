import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { liveSystem } from '../../../src/assets/live/live-system.js';
import { buildConfig } from '../../../src/ignition/build-config.js';
import { serializeConfig } from '../../../src/ignition/serialize.js';
import { nodeFileRows, postInstallFileRows, reportFileRows } from '../../shell/disk/node-files.js';
import { fixtureFiles, resolveAssets } from '../../support/made-from.js';
import { describeWith } from '../../support/programs.js';
import { describeWithIgnition, layWithIgnition } from '../../support/real-ignition.js';
import { scratchFolder } from '../../support/scratch.js';
import { addSystemUnits, complaintsOfSystemd } from '../../support/systemd-analyze.js';

describeWith(['systemd-analyze'], 'the units before the real systemd', () => {
  describeWithIgnition('in the live system that Ignition lays', () => {
    test('are valid, and those with an [Install] section are enabled', async () => {
      const root = await laidLiveSystem();
      addSystemUnits(root);

      expect(complaintsAbout(root, ourUnits(root))).toEqual([]);
      spawnSync('systemctl', [`--root=${root}`, 'preset', ...ourUnits(root)]);
      expect(readdirSync(join(root, unitFolder, 'multi-user.target.wants')).toSorted()).toEqual([
        'approve-csr.service',
        'chown-gatewayd-key.service',
        'dnsmasq.service',
        'install-to-disk.service',
        'kubelet.service',
        'progress.service',
        'sno-report.service',
      ]);
      // Again, including the units that the links start.
      expect(complaintsAbout(root, [...ourUnits(root), 'multi-user.target'])).toEqual([]);
    });
  });

  test('are sound on the installed node', () => {
    const root = scratchFolder();
    addSystemUnits(root);
    for (const { mode, source, path } of carriedFiles) layCarriedFile(join(root, path), source, mode);

    expect(ourUnits(root)).toEqual([
      'bootkube.service',
      'sno-etcd-restore.service',
      'sno-post-install.service',
      'sno-report.service',
    ]);
    expect(complaintsAbout(root, ourUnits(root))).toEqual([]);
  });
});

const unitFolder = 'etc/systemd/system';

/** Programs that only the real operating system has. */
const systemPrograms = ['/usr/bin/chcon', '/usr/bin/mkdir', '/usr/bin/systemctl', '/usr/sbin/dnsmasq'];

/** A live system with every feature that adds a unit. */
async function laidLiveSystem(): Promise<string> {
  const snoConfig =
    'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\nhostname: sno\nnodeIP: 192.168.126.10\ndns:\n  local: true\nreport:\n  url: https://boot.example.com\n';
  const files = { ...fixtureFiles('minimal'), 'sno-config.yaml': snoConfig };
  const { valueOf } = await resolveAssets([liveSystem], { files });
  const live = valueOf(liveSystem);
  return layWithIgnition(serializeConfig(buildConfig({ ...live, users: [] })), scratchFolder());
}

function ourUnits(root: string): readonly string[] {
  const names = readdirSync(join(root, unitFolder));
  return names.filter((name) => /\.(service|target|mount)$/.test(name)).toSorted();
}

/** The output of systemd-analyze, without reports of missing operating system programs. */
function complaintsAbout(root: string, units: readonly string[]): readonly string[] {
  const files = systemPrograms.map((path) => `Command ${path} is not executable: No such file or directory`);
  return complaintsOfSystemd(root, units).filter(
    (line) => !files.some((complaint) => line.endsWith(complaint)),
  );
}

/** Units and scripts that node-files.list copies to the node, including those for reporting and for post-install manifests. */
const carriedFiles = [...nodeFileRows, ...reportFileRows, ...postInstallFileRows].filter(
  ({ mode }) => mode === 'unit' || mode === '0555',
);

function layCarriedFile(target: string, source: string, mode: string): void {
  const template = source
    .replace(/^openshift.*\/sno-report\.service$/, 'templates/report/installed/sno-report.service')
    .replace(
      /^openshift.*\/sno-post-install\.service$/,
      'templates/post-install/installed/sno-post-install.service',
    )
    .replace(/^bin\/sno-report/, 'templates/report/usr/local/bin/sno-report')
    .replace(/^bin\/sno-post-install/, 'templates/post-install/usr/local/bin/sno-post-install')
    .replace(/^openshift/, 'templates/live/opt/openshift')
    .replace(/^bin/, 'templates/live/usr/local/bin');
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, readFileSync(template));
  chmodSync(target, mode === 'unit' ? 0o644 : 0o555);
  expect(basename(target)).toBe(basename(template));
}
