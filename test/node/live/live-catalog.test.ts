import { describe, expect, test } from 'vitest';

import { templatesFrom } from '../../../src/disk/program-files/templates.js';
import { catalog, isAppended, modeOf, templateOf } from '../../../src/node/live/live-catalog.js';

const templates = templatesFrom('templates');

describe('catalog', () => {
  test('lists every file of templates/live once', () => {
    const named = catalog.flatMap((entry) => templateOf(entry) ?? []);
    expect(named.toSorted()).toEqual(templates.list('live').toSorted());
  });

  test('enables exactly the units with an [Install] section', () => {
    const units = catalog.filter((entry) => entry.kind === 'unit');
    const states = units.map(({ name, enabled }) => ({ name, enabled }));
    const installed = units.map(({ name }) => ({
      name,
      enabled: /^\[Install\]$/m.test(textOf(`live/etc/systemd/system/${name}`)),
    }));
    expect(states).toEqual(installed);
  });

  test('names every script that a unit or another script runs', () => {
    const paths = catalog.flatMap((entry) => (entry.kind === 'file' ? [entry.path] : []));
    const texts = catalog.flatMap((entry) => templateOf(entry) ?? []).map((path) => textOf(`live/${path}`));
    const run = texts.flatMap((text) =>
      [...text.matchAll(/(?:\/usr\/local\/bin|\$\{SNO_BIN_DIR\})\/([a-z-]+\.sh)/g)].map(
        ([, name]) => name ?? '',
      ),
    );
    const carried = ['bootstrap-in-place-post-reboot.sh', 'sno-etcd-restore.sh', 'sno-node-cleanup.sh'];
    // Only in the configuration of a site with a payload; install-to-disk.sh and a unit check for them.
    const ofPayload = ['sno-payload-disk.sh', 'sno-payload.sh'];
    const missing = [...new Set(run)].filter(
      (name) => ![...carried, ...ofPayload].includes(name) && !paths.includes(`/usr/local/bin/${name}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('modeOf', () => {
  test.each([
    { path: '/usr/local/bin/bootkube.sh', want: 0o555 },
    { path: '/etc/NetworkManager/dispatcher.d/forcedns', want: 0o555 },
    { path: '/etc/systemd/system-generators/node-image-overlay-generator', want: 0o555 },
    { path: '/etc/motd', want: 0o644 },
    { path: '/etc/containers/registries.conf', want: 0o644 },
    { path: '/root/.docker/config.json', want: 0o600 },
    { path: '/usr/local/bin/folder/file', want: 0o600 },
  ])('$path is $want', ({ path, want }) => {
    expect(modeOf(path)).toBe(want);
  });

  test('adds only the greeting to the files of the system', () => {
    const paths = catalog.flatMap((entry) => (entry.kind === 'file' ? [entry.path] : []));
    expect(paths.filter(isAppended)).toEqual(['/etc/motd']);
  });
});

function textOf(path: string): string {
  return new TextDecoder().decode(templates.read(path));
}
