import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { markers, nodeWithAllDoneBut, runsOfTools } from '../support/bootkube.js';
import { releaseDigest } from '../support/node-files.js';

describeWith(['bash', 'jq'], 'a stage of bootkube.sh', () => {
  const flags: readonly { minor: number; tool: string; stage: string; want: string | undefined }[] = [
    { minor: 16, tool: 'cvo-render', stage: 'cvo-bootstrap', want: `--release-image=${releaseDigest}` },
    {
      minor: 17,
      tool: 'cvo-render',
      stage: 'cvo-bootstrap',
      want: '--feature-gate-manifest-path=/assets/manifests/99_feature-gate.yaml',
    },
    {
      minor: 22,
      tool: 'cvo-render',
      stage: 'cvo-bootstrap',
      want: '--cluster-version-manifest-path=/assets/manifests/cvo-overrides.yaml',
    },
    { minor: 18, tool: 'auth-api-render', stage: 'auth-api-bootstrap', want: undefined },
    { minor: 19, tool: 'auth-api-render', stage: 'auth-api-bootstrap', want: '--payload-version=4.19.3' },
    { minor: 20, tool: 'auth-api-render', stage: 'auth-api-bootstrap', want: '--payload-version=4.20.3' },
  ];

  test.each(flags)('appends $want to the flags of $tool in 4.$minor', ({ minor, tool, stage, want }) => {
    const node = nodeWithAllDoneBut([stage], { minor });

    expect(node.run('bootkube.sh').status).toBe(0);
    expect(
      runsOfTools(node)
        .find(([name]) => name === tool)
        ?.at(-1),
    ).toBe(want);
  });

  test('continues at the failed stage, without files of the failed run', () => {
    const failing = 'kube-scheduler-bootstrap';
    const node = nodeWithAllDoneBut([failing, 'ingress-operator-bootstrap']);
    node.fail('cluster-kube-scheduler-operator-cluster-kube-scheduler-operator-render', 1);
    node.write(`opt/openshift/${failing}/left-over`, '');

    const first = node.run('bootkube.sh');
    const second = node.run('bootkube.sh');

    expect([first.status, second.status]).toEqual([1, 0]);
    expect(runsOfTools(node).map(([name]) => name)).toEqual([
      'kube-scheduler-render',
      'kube-scheduler-render',
      'ingress-render',
    ]);
    expect(node.has(`opt/openshift/${failing}/left-over`)).toBe(false);
    const [atStage, atEnd] = node.record('bootkube').filter(({ result }) => result === 'failure');
    expect([atStage?.phase, atStage?.stage, atEnd?.phase, atEnd?.stage]).toEqual([
      'stage end',
      failing,
      'service end',
      undefined,
    ]);
    expect(atStage?.errorMessage).toBe('line one\nline two\nline three');
    expect(atStage?.errorLine).toMatch(/^\d+ run_tool .*\/bootkube-tools\.sh$/);
  });

  test('for kernel arguments may fail', () => {
    const node = nodeWithAllDoneBut(['cmdbootline-nto-bootstrap', 'cco-bootstrap']);
    node.fail('cluster-node-tuning-operator-render-bootcmd-mc', 'always');

    const { status, stderr } = node.run('bootkube.sh');

    expect(status).toBe(0);
    expect(stderr).toContain(
      'stage cmdbootline-nto-bootstrap failed, which does not stop the installation\n',
    );
    expect(runsOfTools(node).map(([name]) => name)).toEqual(['cmdbootline-nto-render', 'cco-render']);
    expect(markers(node)).not.toContain('cmdbootline-nto-bootstrap');
  });

  test('stops and names a required flag that is missing', () => {
    const node = nodeWithAllDoneBut(['etcd-bootstrap']);
    node.forget('cluster-etcd-operator-cluster-etcd-operator-render', '--etcd-image');

    const { status, stderr } = node.run('bootkube.sh');

    expect(status).toBe(1);
    expect(stderr).toContain(
      'etcd-render: this release does not know --etcd-image, without which it cannot be run\n',
    );
    expect(runsOfTools(node)).toEqual([]);
  });

  test('treats a container that does not start as a failure, not as a missing tool', () => {
    const node = nodeWithAllDoneBut(['auth-api-bootstrap'], { minor: 18 });
    node.fail('help-cluster-authentication-operator-render', 1);

    const { status, stderr } = node.run('bootkube.sh');

    expect(status).toBe(1);
    expect(stderr).toContain(
      'auth-api-render: cannot ask the image example.com/ocp/cluster-authentication-operator:test for its flags: ',
    );
    expect(node.run('bootkube.sh').status).toBe(0);
  });

  test('reports an image that is missing from the payload', () => {
    const node = nodeWithAllDoneBut(['cco-bootstrap']);
    node.withoutImage('cloud-credential-operator');

    const { status, stderr } = node.run('bootkube.sh');

    expect(status).toBe(1);
    expect(stderr).toContain('the release payload lists no image cloud-credential-operator\n');
  });

  test('removes the files of an interrupted cluster-bootstrap, and reports its exit status', () => {
    const node = nodeWithAllDoneBut(['cb-bootstrap']);
    node.write('opt/openshift/bootstrap-manifests/kube-apiserver-pod.yaml', '');
    node.write('etc/kubernetes/manifests/kube-apiserver-pod.yaml', 'left over');
    node.write('etc/kubernetes/manifests/etcd-member-pod.yaml', 'runs');
    node.fail('cluster-bootstrap-start', 1);

    const { status, stderr } = node.run('bootkube.sh');

    expect(status).toBe(1);
    expect(stderr).toContain('cluster-bootstrap ended with status 1\n');
    expect(node.list('etc/kubernetes/manifests')).toEqual(['etcd-member-pod.yaml']);
    expect(node.has('opt/openshift/.bootkube.done')).toBe(false);
  });

  test.each([
    { name: 'again, and continues without a notice', failures: 2, status: 0 },
    { name: 'twice more, and not again', failures: 3, status: 1 },
  ])('starts a cluster-bootstrap that ran before kube-system existed $name', ({ failures, status }) => {
    const node = nodeWithAllDoneBut(['cb-bootstrap']);
    node.write('opt/openshift/bootstrap-manifests/kube-apiserver-pod.yaml', '');
    node.fail('cluster-bootstrap-start', failures);
    node.answer('cluster-bootstrap-start', 'Error: namespaces "kube-system" not found\n');

    const run = node.run('bootkube.sh');

    expect(run.status).toBe(status);
    expect(run.stderr).toContain(
      'cluster-bootstrap could not write an event, because it came too early or the API server was stopping\n',
    );
    expect(
      run.stderr.split('\n').filter((line) => line.includes('namespaces "kube-system" not found')),
    ).toHaveLength(failures);
    expect(run.stderr.includes('cluster-bootstrap ended with status 1')).toBe(status === 1);
    expect(node.list('etc/issue.d')).toEqual(status === 1 ? ['62_bootkube.issue'] : []);
  });

  test('does not wait for an etcd that an earlier run stopped before it wrote its marker', () => {
    const node = nodeWithAllDoneBut([]);
    node.write('opt/openshift/etcd-snapshot.done', '');
    node.fail('etcd-etcdctl', 'always');

    expect(node.run('bootkube.sh').status).toBe(0);
  });

  test('writes the final marker only after a successful handover', () => {
    const node = nodeWithAllDoneBut([]);
    node.fail('bootstrap-in-place.sh', 1);

    expect(node.run('bootkube.sh').status).toBe(1);
    expect(node.has('opt/openshift/.bootkube.done')).toBe(false);
    expect(node.run('bootkube.sh').status).toBe(0);
    expect(node.has('opt/openshift/.bootkube.done')).toBe(true);
  });
});
