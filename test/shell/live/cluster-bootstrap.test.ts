import { createServer, type AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { nodeWithAllDoneBut, runsOfTools } from '../support/bootkube.js';

const tool = 'cluster-bootstrap-start';
const loadFailure = `Assert creation failed: failed to load some manifests:
"99_list.yaml": unable to convert asset "99_list.yaml" to unstructured
Sending bootstrap-success event.
Waiting for remaining assets to be created.
Assert creation failed: failed to load some manifests:
"99_list.yaml": unable to convert asset "99_list.yaml" to unstructured
Sending bootstrap-finished event.
`;

describeWith(['bash', 'jq'], 'cluster-bootstrap', () => {
  test.each([
    'Error: namespaces "kube-system" not found',
    'Error: Post "https://localhost:6443/api/v1/namespaces/kube-system/events": dial tcp [::1]:6443: connect: connection refused',
  ])('that exits with %j is restarted without a notice', (said) => {
    const node = nodeWithAllDoneBut(['cb-bootstrap']);
    node.fail(tool, 2);
    node.answer(tool, `${said}\n`);
    expect(node.run('bootkube.sh').status).toBe(0);
    expect(runsOfTools(node).map(([name]) => name)).toEqual(Array(3).fill('cluster-bootstrap'));
    expect(node.list('etc/issue.d')).toEqual([]);
  });

  test('that exits with another error is not restarted', () => {
    const node = nodeWithAllDoneBut(['cb-bootstrap']);
    node.fail(tool, 2);
    node.answer(tool, 'Error: timed out creating manifests\n');
    expect(node.run('bootkube.sh').status).toBe(1);
    expect(runsOfTools(node)).toHaveLength(1);
  });

  // Printed by the real program for a ConfigMap with a top-level field `items`.
  test('that exits with 0 and created nothing stops the bootstrap', () => {
    const node = nodeWithAllDoneBut(['cb-bootstrap']);
    node.answer('load-failure', loadFailure);
    const { status, stderr } = node.run('bootkube.sh');
    expect([status, node.has('opt/openshift/cb-bootstrap.done')]).toEqual([1, false]);
    expect(stderr).toContain(
      'cluster-bootstrap created no manifests: failed to load some manifests: "99_list.yaml": unable to convert asset "99_list.yaml" to unstructured',
    );
    expect(runsOfTools(node)).toHaveLength(1);
  });

  test('that exits with 0 without an object of each manifest stops the bootstrap', () => {
    const node = nodeWithAllDoneBut(['cb-bootstrap']);
    for (const name of ['10.yaml', '20.json', 'sub/30.yml', 'a "name".yaml'])
      node.write(`opt/openshift/manifests/${name}`, '{}');
    node.answer('never-created', '20.json\nsub/30.yml\n');
    const { status, stderr } = node.run('bootkube.sh');
    expect([status, node.has('opt/openshift/cb-bootstrap.done')]).toEqual([1, false]);
    expect(stderr).toContain('cluster-bootstrap did not create all manifests, missing 20.json sub/30.yml\n');
    node.answer('never-created', '');
    expect(node.run('bootkube.sh').status).toBe(0);
  });

  test('waits until the API server of an earlier run has stopped', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    const SNO_API_PORT = String((server.address() as AddressInfo).port);
    const node = nodeWithAllDoneBut(['cb-bootstrap'], { variables: { SNO_API_PORT } });
    node.hasten(100);
    const { status, stderr } = node.run('bootkube.sh');
    expect([status, runsOfTools(node)]).toEqual([1, []]);
    expect(stderr).toContain('timed out after 600 s waiting for the API server of an earlier run to stop\n');
    await new Promise((resolve) => server.close(resolve));
    expect(node.run('bootkube.sh').status).toBe(0);
  });

  test('with dns.apiCheck Reachable needs the API server to answer by its internal name', () => {
    const node = nodeWithAllDoneBut(['cb-bootstrap'], { variables: { SNO_API_CHECK: 'Reachable' } });
    node.answer('getent-ahosts-api-int.sno.example.com', '192.0.2.7 STREAM\n');
    node.fail('oc', 'always');
    const { status, stderr } = node.run('bootkube.sh');
    expect(status).toBe(1);
    expect(stderr).toContain(
      'the API server did not answer at api-int.sno.example.com (192.0.2.7) during the bootstrap: let the load balancer forward port 6443 to this machine',
    );
    expect(node.has('opt/openshift/cb-bootstrap.done')).toBe(false);
    node.write('run/sno-install/api-int-reached', '');
    expect(node.run('bootkube.sh').status).toBe(0);
  });
});
