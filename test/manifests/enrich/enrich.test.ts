import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { nodeConfigLimitMib } from '../../../src/manifests/enrich/master-size.js';
import { nodeFilesList } from '../../../src/manifests/enrich/node-files-list.js';
import { decodeDataUrl } from '../../../src/formats/data-url.js';
import { sha256 } from '../../../src/formats/sha256.js';
import type { IgnitionConfig } from '../../../src/ignition/types.js';
import { description, enrichGiven, list, master, sealedSnapshot, shown, sound, unitText } from './given.js';
import { expectOk } from '../../support/sound-value.js';

/** Contents of a config's files, keyed by `mode path`. */
function filesOf({ storage }: IgnitionConfig): Readonly<Record<string, Buffer>> {
  const files = storage?.files ?? [];
  return Object.fromEntries(
    files.map(({ path, mode, contents }) => [
      `${mode.toString(8)} ${path}`,
      decodeDataUrl(contents?.source ?? '') ?? Buffer.from('not decoded'),
    ]),
  );
}

describe('the config of the node', () => {
  test('has the encryption of the disk, which the input contains', () => {
    const storage = {
      luks: [
        {
          name: 'root',
          label: 'luks-root',
          device: '/dev/disk/by-partlabel/root',
          clevis: { tang: [{ url: 'http://192.0.2.1', thumbprint: 'a'.repeat(43) }], threshold: 1 },
          wipeVolume: true,
        },
      ],
      filesystems: [{ device: '/dev/mapper/root', format: 'xfs', label: 'root', wipeFilesystem: true }],
    };
    const result = enrichGiven(sound, {
      ...master,
      storage: { ...master.storage, ...storage },
    });
    expect(shown(result)).toEqual([]);
    const [merged] = expectOk(result).config.ignition.config?.merge ?? [];
    const text = decodeDataUrl(merged?.source ?? '')?.toString() ?? '';
    expect(JSON.parse(text)).toMatchObject({ storage });
  });

  test('contains every file of the list, the generated files of the node, and the input unchanged', () => {
    const { config, text } = expectOk(enrichGiven(sound));
    const { '600 /opt/openshift/etcd-snapshot/snapshot.db.gz': archive, ...others } = filesOf(config);

    expect(gunzipSync(archive ?? Buffer.of()).equals(sealedSnapshot)).toBe(true);
    expect(Object.entries(others).map(([file, bytes]) => [file, bytes.toString()])).toEqual(
      [
        ['600 /etc/kubernetes/bootstrap-secrets/ca.crt', 'a certificate\n'],
        ['600 /etc/kubernetes/bootstrap-secrets/deep/ca.key', 'a key\n'],
        ['600 /etc/kubernetes/manifests/etcd-pod.yaml', 'kind: Pod\n'],
        ['644 /etc/hostname', 'sno1\n'],
        [
          '600 /opt/openshift/etcd-snapshot/snapshot.json',
          `${JSON.stringify(
            {
              ...description,
              snapshot: {
                ...description.snapshot,
                sha256: sha256(sealedSnapshot),
                sizeBytes: sealedSnapshot.length,
              },
            },
            undefined,
            2,
          )}\n`,
        ],
        ['555 /usr/local/bin/post-reboot.sh', '#!/bin/bash\n'],
      ].toSorted(([left = ''], [right = '']) => (left.slice(4) < right.slice(4) ? -1 : 1)),
    );
    expect({ ...config, storage: config.storage?.directories }).toEqual({
      ignition: {
        version: '3.2.0',
        config: {
          merge: [{ source: `data:;base64,${Buffer.from(JSON.stringify(master)).toString('base64')}` }],
        },
      },
      storage: [{ path: '/var/lib/etcd', mode: 0o700, user: { name: 'root' } }],
      systemd: { units: [{ name: 'bootkube.service', enabled: true, contents: unitText }] },
    });
    expect(JSON.parse(text)).toEqual(config);
  });

  test('is the same, to the byte, whatever the order of the list', () => {
    const lines = list.trimEnd().split('\n');
    const given = fc.shuffledSubarray(lines, { minLength: lines.length, maxLength: lines.length });
    const want = expectOk(enrichGiven(sound)).text;
    fc.assert(
      fc.property(given, (shuffled) => {
        const files = { ...sound, [nodeFilesList]: `${shuffled.join('\n')}\n` };
        expect(expectOk(enrichGiven(files)).text).toBe(want);
      }),
    );
  });

  test('carries optional files and folders that are there', () => {
    const files = {
      ...sound,
      'openshift/log-bundle-bootstrap.tar.gz': 'logs',
      'kubernetes/static-pod-resources/kube-apiserver/secrets/key': 'a key',
    };
    const added = Object.keys(filesOf(expectOk(enrichGiven(files)).config)).filter(
      (file) => !(file in filesOf(expectOk(enrichGiven(sound)).config)),
    );
    expect(added).toEqual([
      '600 /etc/kubernetes/static-pod-resources/kube-apiserver/secrets/key',
      '600 /var/log/log-bundle-bootstrap.tar.gz',
    ]);
  });

  test('leaves the host name to a MachineConfig that sets it', () => {
    const files = [...master.storage.files, { path: '/etc/hostname' }];
    const { config, hasHostname } = expectOk(enrichGiven(sound, { ...master, storage: { files } }));
    expect(hasHostname).toBe(true);
    expect(Object.keys(filesOf(config)).filter((file) => file.endsWith('hostname'))).toEqual([]);
  });

  test('contains every file of any folder once, with the mode of its row, byte for byte', () => {
    const name = fc.stringMatching(/^[a-z0-9é_-]{1,8}$/).filter((text) => !['.', '..'].includes(text));
    const tree = fc.dictionary(name, fc.uint8Array({ maxLength: 200 }), { minKeys: 1, maxKeys: 6 });
    const mode = fc.constantFrom('0600', '0400', '0700');
    fc.assert(
      fc.property(tree, mode, (files, octal) => {
        const given = {
          ...sound,
          [nodeFilesList]: `${list}keep ${octal} openshift/any/ /srv/any/\n`,
          ...Object.fromEntries(
            Object.entries(files).map(([path, bytes]) => [`openshift/any/${path}`, bytes]),
          ),
        };
        const laid = Object.entries(filesOf(expectOk(enrichGiven(given)).config)).filter(([file]) =>
          file.includes(' /srv/any/'),
        );
        const want = Object.entries(files).map(([path, bytes]) => [
          `${octal.slice(1)} /srv/any/${path}`,
          Buffer.from(bytes),
        ]);
        expect(Object.fromEntries(laid)).toEqual(Object.fromEntries(want));
        expect(laid.length).toBe(want.length);
      }),
    );
  });
});

describe('rejects', () => {
  test('all missing files together', () => {
    const absent = /\/tls\/|post-reboot|bootkube\.service/;
    const files = Object.fromEntries(Object.entries(sound).filter(([path]) => !absent.test(path)));
    expect(shown(enrichGiven(files))).toEqual([
      'error[enrich/missing-file] openshift/tls/ is missing; the installed node needs it as /etc/kubernetes/bootstrap-secrets/',
      'error[enrich/missing-file] openshift/units/bootkube.service is missing; the installed node needs it as unit bootkube.service',
      'error[enrich/missing-file] bin/post-reboot.sh is missing; the installed node needs it as /usr/local/bin/post-reboot.sh',
    ]);
  });

  test('an invalid input, list and snapshot together', () => {
    const files = {
      ...sound,
      [nodeFilesList]: 'keep 600 openshift/a /a\n',
      'openshift/etcd-snapshot/snapshot.db': 'no snapshot',
    };
    expect(shown(enrichGiven(files, ''))).toEqual([
      'error[enrich/input] master.ign: the input is empty',
      `error[enrich/list] ${nodeFilesList}:1: the mode is "600", expected 0 and three octal digits, unit, preset or -`,
      'error[enrich/snapshot] openshift/etcd-snapshot/snapshot.db: this is not an etcd snapshot, or it is damaged',
    ]);
  });

  test.each([
    { name: 'a file', kind: 'files', path: '/etc/kubernetes/manifests/etcd-pod.yaml' },
    { name: 'a file of a folder', kind: 'files', path: '/etc/kubernetes/bootstrap-secrets/ca.crt' },
    { name: 'a folder', kind: 'directories', path: '/var/lib/etcd' },
    { name: 'a link', kind: 'links', path: '/etc/kubernetes/manifests/etcd-pod.yaml' },
    { name: 'a unit as a file', kind: 'files', path: '/etc/systemd/system/bootkube.service' },
  ])('$name that is also in the input', ({ kind, path }) => {
    const own = { files: master.storage.files, directories: [], links: [] };
    const added = Object.entries(own).map(([each, entries]) => [
      each,
      each === kind ? [...entries, { path, ...(kind === 'links' && { target: '/srv' }) }] : entries,
    ]);
    const input = { ...master, storage: Object.fromEntries(added) as object };
    expect(shown(enrichGiven(sound, input))).toEqual([
      `error[enrich/conflict] the input has ${path}, which the bootstrap carries to the node`,
    ]);
  });

  test('a unit that is also in the input', () => {
    const input = { ...master, systemd: { units: [{ name: 'bootkube.service' }] } };
    expect(shown(enrichGiven(sound, input))).toEqual([
      'error[enrich/conflict] the input has a unit bootkube.service, which the bootstrap carries to the node',
    ]);
  });

  test('two rows for one path, a secret that others may read, and a unit that would never start', () => {
    const files = {
      ...sound,
      [nodeFilesList]: `${list}keep 0644 openshift/tls/ca.crt /etc/kubernetes/bootstrap-secrets/ca.crt\nkeep 0444 openshift/key /srv/key\n`,
      'openshift/key': `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END PRIVATE KEY-----\n`,
      'openshift/units/bootkube.service': '[Service]\nExecStart=/bin/true\n',
    };
    expect(shown(enrichGiven(files))).toEqual([
      'error[ignition/conflict] /etc/kubernetes/bootstrap-secrets/ca.crt is in the config twice',
      'error[ignition/invalid] /srv/key contains a secret and has mode 0444, expected 0600',
      'error[ignition/invalid] unit bootkube.service is enabled and has no [Install] section',
    ]);
  });
});

describe('the size of the config', () => {
  const withBundle = (mebibytes: number) =>
    enrichGiven({
      ...sound,
      'openshift/log-bundle-bootstrap.tar.gz': Buffer.alloc(mebibytes * 1024 ** 2, 0xff),
    });

  test('is warned of above three quarters of the limit', () => {
    expect(shown(withBundle(95))).toEqual([
      'warning[enrich/large] the config of the node takes 126.7 MiB; the boot partition has room for 160 MiB',
    ]);
  });

  test('is rejected above the limit, before a config of that size is built', () => {
    expect(shown(withBundle(120))).toEqual([
      'error[enrich/too-large] the config of the node takes 160.0 MiB; the boot partition has room for 160 MiB',
    ]);
    expect(nodeConfigLimitMib).toBe(160);
  });
});
