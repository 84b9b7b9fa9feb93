import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import type { NodeFile } from '../../../src/ignition/types.js';
import { describeWith } from '../../support/programs.js';
import { aioNode, configFiles, type AioNode } from './aio-node.js';

describeWith(['bash', 'jq', 'tar'], 'sno-unpack.sh', () => {
  let files: readonly NodeFile[] = [];
  beforeAll(async () => {
    files = await configFiles('aio-minimal');
  });

  /** Writes an archive of programs to a path of the node. */
  function archive(node: AioNode, path: string, folder: string): void {
    const source = join(node.root, 'source', folder);
    mkdirSync(source, { recursive: true });
    for (const name of ['bridge', 'host-local']) {
      writeFileSync(join(source, name), `the program ${name}\n`);
      chmodSync(join(source, name), 0o755);
    }
    const args = [
      '--create',
      '--gzip',
      `--file=${join(node.root, path)}`,
      `--directory=${join(node.root, 'source')}`,
      '.',
    ];
    expect(spawnSync('tar', args).status).toBe(0);
  }

  test('replaces older programs with those of an archive once, and removes the archive', () => {
    const node = aioNode(files);
    archive(node, 'opt/cni-plugins.tgz', '');

    expect(node.run('sno-unpack.sh').status).toBe(0);

    expect(node.read('opt/cni/bin/bridge')).toBe('the program bridge\n');
    expect([node.modeOf('opt/cni/bin/bridge'), node.has('opt/cni-plugins.tgz')]).toEqual(['755', false]);
    expect(node.calls('restorecon').map((call) => call.replace(node.root, ''))).toEqual(['-R /opt/cni/bin']);
    // After a reboot there is nothing to do.
    expect(node.run('sno-unpack.sh').status).toBe(0);
    expect(node.calls('restorecon')).toHaveLength(1);
  });

  test('strips leading folders', () => {
    const node = aioNode(files);
    node.write('etc/sno-install/archives.tsv', '/opt/node.tgz\t/usr/local/lib/node\t3\n');
    archive(node, 'opt/node.tgz', 'kubernetes/bin');
    expect(node.run('sno-unpack.sh').status).toBe(0);
    expect(node.list('usr/local/lib/node')).toEqual(['bridge', 'host-local']);
  });

  test('unpacks the second archive after the first failed', () => {
    const node = aioNode(files);
    const rows = ['/opt/a.tgz\t/opt/a\t0', '/opt/b.tgz\t/opt/b\t0'];
    node.write('etc/sno-install/archives.tsv', `${rows.join('\n')}\n`);
    archive(node, 'opt/a.tgz', '');
    node.write('opt/b.tgz', 'no archive');
    expect(node.run('sno-unpack.sh').status).not.toBe(0);
    expect([node.has('opt/a/bridge'), node.has('opt/b.tgz')]).toEqual([true, true]);

    archive(node, 'opt/b.tgz', '');
    expect(node.run('sno-unpack.sh').status).toBe(0);

    expect(node.has('opt/b/bridge')).toBe(true);
  });
});
