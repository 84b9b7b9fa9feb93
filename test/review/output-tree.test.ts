import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { publicFile, secretFile } from '../../src/core/output-file.js';
import { programVersion } from '../../src/core/program-version.js';
import { templatesFrom } from '../../src/disk/program-files/templates.js';
import { gzip } from '../../src/formats/gzip.js';
import { base64Url } from '../../src/formats/data-url.js';
import { serializeConfig } from '../../src/ignition/serialize.js';
import { outputTree, knownTemplates } from '../../src/review/output-tree.js';
import { sampleConfig } from '../ignition/sample-config.js';

const templates = knownTemplates(templatesFrom('templates'));
const head = `Tree of sno-install ${programVersion}\n`;

describe('explode', () => {
  const template = 'live/usr/local/bin/sno-common.sh';
  const script = readFileSync(`templates/${template}`);
  const config = sampleConfig({
    files: [
      { path: '/etc/motd', mode: 0o644, contents: 'hello\n', append: true },
      { path: '/etc/empty', mode: 0o600, contents: '' },
      { path: '/usr/local/bin/sno-common.sh', mode: 0o555, contents: script },
      { path: '/usr/local/bin/zz-copy.sh', mode: 0o600, contents: script },
    ],
    units: [
      { name: 'a.service', enabled: true, contents: '[Unit]\n' },
      { name: 'b.socket', enabled: true, dropins: [{ name: 'c.conf', contents: '[Socket]\n' }] },
    ],
  });

  it('gives a tree of texts with an index', () => {
    const text = serializeConfig(config);
    const tree = outputTree([secretFile('node.ign', text), publicFile('metadata.json', '{}')], templates);
    expect(tree).toEqual({
      'index.txt': `${head}0600 - node.ign\n0644 2 metadata.json\n`,
      'metadata.json': '{}',
      'node.ign.json': `${JSON.stringify({ ignition: config.ignition, passwd: config.passwd }, undefined, 2)}\n`,
      'node.ign.d/index.txt': [
        '0600 root 0 /etc/empty',
        '0644 root 6 /etc/motd (append)',
        '0555 root - /usr/local/bin/sno-common.sh (template)',
        `0600 root - /usr/local/bin/zz-copy.sh (template ${template})`,
        '0644 root 7 /etc/systemd/system/a.service (unit, enabled)',
        '0644 root 0 /etc/systemd/system/b.socket (unit, enabled)',
        '0644 root 9 /etc/systemd/system/b.socket.d/c.conf (drop-in)',
        '',
      ].join('\n'),
      'node.ign.d/etc/motd': 'hello\n',
      'node.ign.d/etc/systemd/system/a.service': '[Unit]\n',
      'node.ign.d/etc/systemd/system/b.socket.d/c.conf': '[Socket]\n',
    });
  });

  /** The tree of a config from another program. */
  function treeOf(config: unknown): Readonly<Record<string, string>> {
    return outputTree([secretFile('a.ign', JSON.stringify(config))], templates);
  }

  it('shows links, owners, compressed and external contents', () => {
    const tree = treeOf({
      ignition: { version: '3.4.0' },
      storage: {
        disks: [{ device: '/dev/vda', wipeTable: true }],
        directories: [{ path: '/d', user: { id: 1000 }, group: { name: 'users' } }],
        links: [{ path: '/l', target: '/d', hard: true }],
        files: [
          {
            path: '/packed',
            contents: { source: base64Url(gzip(Buffer.from('text\n'))), compression: 'gzip' },
          },
          { path: '/damaged', contents: { source: 'data:;base64,AAAA', compression: 'gzip' } },
          { path: '/far', overwrite: true, contents: { source: 'https://example.com/a?sig=abc' } },
          { path: '/binary', mode: 0o644, contents: { source: 'data:;base64,AP8=' } },
          { contents: { source: 'data:,a' } },
        ],
      },
      systemd: { units: [{ name: 'a.service', mask: true }, { contents: '' }] },
    });

    expect(tree).toEqual({
      'index.txt': `${head}0600 - a.ign\n`,
      'a.ign.json': `${JSON.stringify({ ignition: { version: '3.4.0' }, storage: { disks: [{ device: '/dev/vda', wipeTable: true }] } }, undefined, 2)}\n`,
      'a.ign.d/index.txt': [
        '0644 root 5 /packed (once, gzip)',
        '0644 root 34 /damaged (once, gzip)',
        '0644 root - /far (fetched)',
        '0644 root - /binary (once)',
        '0644 root 0 /etc/systemd/system/a.service (unit, masked)',
        '0755 1000:users - /d/',
        'hard link root - /l -> /d',
        '',
      ].join('\n'),
      'a.ign.d/packed': 'text\n',
      'a.ign.d/damaged': '<contents that cannot be unpacked>',
      'a.ign.d/far': 'https://example.com/a?<secret>',
      'a.ign.d/binary': expect.stringMatching(/^<2 bytes, SHA-256 [0-9a-f]{64}>\n$/) as string,
    });
  });

  it('follows readable configs within a config', () => {
    const inner = JSON.stringify({
      ignition: { version: '3.2.0' },
      storage: { files: [{ path: '/a', contents: { source: 'data:,b' } }] },
    });
    const tree = treeOf({
      ignition: {
        version: '3.2.0',
        config: {
          merge: [{ source: `data:,${encodeURIComponent(inner)}` }, { source: 'https://example.com/' }],
          replace: { source: base64Url(gzip(Buffer.from(inner))), compression: 'gzip' },
        },
      },
    });

    expect(tree['a.ign.merge/0.ign.d/a']).toBe('b');
    expect(tree['a.ign.merge/2.ign.d/a']).toBe('b');
    expect(Object.keys(tree).filter((path) => path.includes('.merge/1'))).toEqual([]);
  });

  it('keeps every file below the folder of the tree', () => {
    const paths = [
      '/../../a',
      '/b/./c/..',
      '',
      '/',
      'relative',
      `/${'d'.repeat(300)}`,
      '/e\nf',
      '/g/',
      '/100%',
    ];
    const tree = treeOf({
      ignition: { version: '3.2.0' },
      storage: { files: paths.map((path) => ({ path, contents: { source: 'data:,a%20b' } })) },
    });

    const laid = Object.keys(tree).filter(
      (path) => path.startsWith('a.ign.d/') && path !== 'a.ign.d/index.txt',
    );
    expect(laid.map((path) => path.slice('a.ign.d/'.length))).toEqual([
      '%2E%2E/%2E%2E/a',
      '%2F',
      '100%25',
      'b/%2E/c/%2E%2E',
      expect.stringMatching(/^d{50}%[0-9a-f]{8}$/),
      'e%0Af',
      'g',
      'relative',
    ]);
  });

  it('stops at a config that contains itself, or is nested too deeply', () => {
    let config: unknown = { ignition: { version: '3.2.0' } };
    for (let depth = 0; depth < 20; depth += 1) {
      const source = base64Url(Buffer.from(JSON.stringify(config)));
      config = { ignition: { version: '3.2.0', config: { merge: [{ source }] } } };
    }
    const deep = `${'['.repeat(900)}${']'.repeat(900)}`;

    expect(Object.keys(treeOf(config)).filter((path) => path.endsWith('.json'))).toHaveLength(9);
    expect(
      outputTree([secretFile('a.ign', `{"ignition":{"version":"3.2.0"},"x":${deep}}`)], templates)[
        'a.ign.json'
      ],
    ).toContain('<nested too deeply>');
  });
});
