import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { nodeWithAllDoneBut } from '../support/bootkube.js';

const notice = 'etc/issue.d/62_bootkube.issue';

describeWith(['bash', 'jq'], 'bootkube that fails', () => {
  test('shows the failed stage and reason on the console until a run succeeds', () => {
    const node = nodeWithAllDoneBut(['cco-bootstrap']);
    node.fail('cloud-credential-operator-render', 1);
    expect(node.run('bootkube.sh').status).not.toBe(0);
    expect(node.read(notice)).toContain('The bootstrap failed at cco-bootstrap, retrying: line three');
    expect(node.run('bootkube.sh').status).toBe(0);
    expect(node.has(notice)).toBe(false);
  });

  test.each([
    ['a full disk', "cp: error writing 'tls/x': No space left on device"],
    [
      'a manifest of a kind that nobody serves',
      '"x.yaml": no matches for kind "Never" in version "example.com/v1"',
    ],
  ])('shows %s even if other lines follow', (_, line) => {
    const node = nodeWithAllDoneBut(['cco-bootstrap']);
    node.answer('journalctl', `stage cco-bootstrap\n${line}\ngathering network\n`);
    node.fail('cloud-credential-operator-render', 1);
    node.run('bootkube.sh');
    expect(node.read(notice)).toContain(`The bootstrap failed at cco-bootstrap, retrying: ${line}`);
  });

  test('keeps the specific message of a step', () => {
    const node = nodeWithAllDoneBut([]);
    node.write('etc/issue.d/60_bootstrap-in-place.issue', 'etcd does not stop');
    node.fail('bootstrap-in-place.sh', 1);
    expect(node.run('bootkube.sh').status).not.toBe(0);
    expect(node.has(notice)).toBe(false);
  });
});
