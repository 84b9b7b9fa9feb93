import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { filesBelow } from '../support/machine-traces.js';
import { home, postInstallNode, type ListedObject } from './post-install-node.js';

const canary = 'canary-5b0e';
const objects: readonly ListedObject[] = [
  {
    wave: '10',
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'plain',
    text: 'kind: ConfigMap\ndata:\n  a: b\n',
  },
  // Neither the name nor the first line tells that it is a Secret.
  {
    wave: '10',
    apiVersion: 'v1',
    kind: 'Secret',
    name: 'login',
    text: `data:\n  a: ${canary}\nkind: Secret\n`,
  },
];

describeWith(['bash', 'jq', 'tar'], 'installer-gather.sh after the clean-up of the installation', () => {
  test('collects the record, the list and the objects, but no Secret and no token', () => {
    const node = postInstallNode(objects);
    node.write(`${home}/report-secret`, `${canary}\n`);
    node.away({ after: 0, calls: 99 });
    expect(node.apply().status).toBe(75);

    const script = join(node.root, home, 'bin/installer-gather.sh');
    const archive = join(node.root, 'bundle.tar.gz');
    const gathered = spawnSync('bash', [script, '--id', 'late'], {
      encoding: 'utf8',
      env: {
        PATH: `${node.programs}:${join(node.stub, '../programs')}:/usr/sbin:/usr/bin:/sbin:/bin`,
        HOME: join(node.root, 'root'),
        SNO_ROOT: node.root,
        STUB: node.stub,
        TAR_FILE: archive,
      },
    });
    expect(gathered.status).toBe(0);
    const folder = join(node.root, 'unpacked');
    node.write('unpacked/.keep', '');
    spawnSync('tar', ['--extract', '--gzip', `--directory=${folder}`, `--file=${archive}`]);
    const files = filesBelow(join(folder, 'log-bundle-late'));
    expect(files.filter((path) => path.startsWith('post-install/'))).toEqual([
      'post-install/node-files.list',
      'post-install/objects.tsv',
      'post-install/objects/0001-configmap-plain.yaml',
      'post-install/settings.env',
    ]);
    expect(files).toContain('bootstrap/services/sno-post-install.json');
    expect(files).toContain('control-plane/master/journals/sno-post-install.log');
    const leaks = spawnSync('grep', ['--recursive', '--files-with-matches', canary, folder], {
      encoding: 'utf8',
    });
    expect(leaks.stdout).toBe('');
    expect(node.list().filter((path) => path.startsWith('/tmp/'))).toEqual([]);
  });
});
