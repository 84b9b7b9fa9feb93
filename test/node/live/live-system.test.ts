import { describe, expect, test } from 'vitest';

import { liveSystem } from '../../../src/assets/live/live-system.js';
import { templatesFrom } from '../../../src/disk/program-files/templates.js';
import type { NodeFile } from '../../../src/ignition/types.js';
import type { LiveSystem } from '../../../src/node/live/live-system.js';
import { givenFiles, type Given } from './live-facts.js';
import { resolveAssets } from '../../support/made-from.js';

describe('liveSystem', () => {
  test('contains each constant file and unit of templates/live unchanged', async () => {
    const { files, units } = await made();
    const laid = new Map<string, NodeFile['contents']>([
      ...files.map(({ path, contents }) => [path.slice(1), contents] as const),
      ...units.flatMap(({ name, contents }) => (contents === undefined ? [] : [unitFile(name, contents)])),
      ...units.flatMap(({ name, dropins = [] }) =>
        dropins.map((dropin) => unitFile(`${name}.d/${dropin.name}`, dropin.contents)),
      ),
    ]);
    const constant = templates.list('live').filter((path) => !path.endsWith('.tmpl'));
    expect(constant.map((path) => [path, laid.get(path)])).toEqual(
      constant.map((path) => [path, Buffer.from(templates.read(`live/${path}`)).toString()]),
    );
  });

  test('shows the deadline of the certificates below the greeting of the system', async () => {
    const { files } = await made();
    expect(files.find(({ path }) => path === '/etc/motd')).toEqual({
      path: '/etc/motd',
      mode: 0o644,
      append: true,
      contents: `This machine is becoming the single node of the OpenShift cluster sno.example.com.
Follow it with:
  journalctl --boot --follow --unit=release-image --unit=bootkube --unit=install-to-disk
Its certificates end 2026-02-01 03:04 UTC. By then it must be installed; later, make a new Ignition config.
`,
    });
  });

  test('contains each path and unit once', async () => {
    const { files, units } = await made({ sno: everySetting });
    const names = [...files.map(({ path }) => path), ...units.map(({ name }) => name)];
    expect(names).toEqual([...new Set(names)]);
  });

  test('enables the units that no other unit starts', async () => {
    const { units } = await made();
    expect(units.flatMap(({ name, enabled }) => (enabled === true ? [name] : []))).toEqual([
      'approve-csr.service',
      'chown-gatewayd-key.service',
      'install-to-disk.service',
      'kubelet.service',
      'progress.service',
      'systemd-journal-gatewayd.socket',
    ]);
  });

  test('applies sno-config.yaml to the live system too', async () => {
    const [plain, full] = [await made(), await made({ sno: everySetting })];
    const paths = (system: LiveSystem) => system.files.map(({ path }) => path);
    expect(paths(full).filter((path) => !paths(plain).includes(path))).toEqual([
      '/etc/hostname',
      '/etc/default/nodeip-configuration',
      '/etc/chrony.conf',
      '/etc/NetworkManager/conf.d/single-node.conf',
      '/etc/NetworkManager/dispatcher.d/forcedns',
      '/etc/default/local-dns',
      '/usr/local/bin/dnsmasq_config.sh',
    ]);
    expect(full.units.at(-1)?.name).toBe('dnsmasq.service');
  });
});

const templates = templatesFrom('templates');

function unitFile(name: string, contents: string): readonly [path: string, contents: string] {
  return [`etc/systemd/system/${name}`, contents];
}

const everySetting = `hostname: node-1
nodeIP: 192.168.126.10
dns: { local: true }
ntpSources: [ntp.example.com]
`;

async function made(given: Given = {}): Promise<LiveSystem> {
  const { valueOf } = await resolveAssets([liveSystem], { files: givenFiles(given) });
  return valueOf(liveSystem);
}
