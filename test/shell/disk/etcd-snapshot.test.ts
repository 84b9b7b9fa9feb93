import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { scratchNode } from '../support/scratch-node.js';

const folder = 'opt/openshift/etcd-snapshot';
const bytes = 'the only snapshot of etcd\n';

describeWith(['bash', 'gzip', 'jq'], 'pack_snapshot of sno-etcd.sh', () => {
  /** The snapshot folder after bootstrap-in-place.sh's `pack_snapshot`, with the program `broken` failing. */
  function packed(broken: string): readonly unknown[] {
    const node = scratchNode();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    node.write(`${folder}/snapshot.db`, bytes);
    node.write(`${folder}/snapshot.json`, JSON.stringify({ snapshot: { sha256 } }));
    const failing = broken === '' ? '' : `${broken}() { return 1; }`;
    const { status, stdout } = node.runLines(
      ['sno-common', 'sno-etcd'],
      `${failing}
       pack_snapshot || { echo 'not packed'; exit 1; }
       gzip --decompress --stdout "\${snapshot_archive}"`,
    );
    return [status, stdout, node.list(folder).filter((name) => name.startsWith('snapshot.db'))];
  }

  test('writes an archive from which the snapshot can be restored', () => {
    expect(packed('')).toEqual([0, bytes, ['snapshot.db.gz']]);
  });

  test.each(['mv', 'gzip', 'sha256_of', 'described'])('keeps the snapshot if %s fails', (broken) => {
    const [status, stdout, files] = packed(broken);
    expect([status, stdout]).toEqual([1, 'not packed\n']);
    expect(files).toContain('snapshot.db');
    expect(files).not.toContain('snapshot.db.gz');
  });
});
