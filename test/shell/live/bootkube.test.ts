import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { bootstrapNode, markers, nameOf, runsOfTools, stages, toolsOf421 } from '../support/bootkube.js';
import { payloadTools } from '../support/payload.js';

describeWith(['bash', 'jq'], 'bootkube.sh, from start to end', () => {
  test('runs the tools of 4.21, writes the files, records every stage and hands over', () => {
    const node = bootstrapNode();

    const { status } = node.run('bootkube.sh');

    expect(status).toBe(0);
    expect(runsOfTools(node)).toEqual(Object.entries(toolsOf421).map(([name, flags]) => [name, ...flags]));
    expect(node.list('etc')).toEqual(filesBelowEtc);
    expect(node.list('opt/openshift/manifests')).toEqual(filesToApply);
    expect(node.list('opt/openshift/bootstrap-manifests')).toEqual(staticPods);
    const configs = 'etc/kubernetes/bootstrap-configs';
    expect(
      [
        'etc/kubernetes/kubeconfig',
        'etc/mcs/kubeconfig',
        `${configs}/kube-apiserver-config.yaml`,
        `${configs}/cluster-policy-controller-config.yaml`,
        'opt/openshift/tls/etcd-ca-bundle.crt',
      ].map((path) => node.read(path)),
    ).toEqual([
      'auth/kubeconfig-loopback',
      'auth/kubeconfig-kubelet',
      'kube-apiserver-config',
      'cluster-policy-controller-config',
      'etcd-ca',
    ]);
    const recorded = ['wait-for-machine', ...stages.slice(0, -1), 'wait-for-etcd', 'cb-bootstrap'];
    expect(node.entries('bootkube')).toEqual([
      { phase: 'service start' },
      ...recorded.flatMap((stage) => [
        { stage, phase: 'stage start' },
        { stage, phase: 'stage end', result: 'success' },
      ]),
      { phase: 'service end', result: 'success' },
    ]);
    expect(markers(node)).toEqual(stages.toSorted());
    expect(node.has('opt/openshift/.bootkube.done')).toBe(true);
    const [etcd, clusterBootstrap] = ['example.com/ocp/etcd:test', 'example.com/ocp/cluster-bootstrap:test'];
    expect(node.calls('bootstrap-in-place.sh')).toEqual([
      ['bootstrap-in-place.sh', '--etcd-image', etcd, '--cluster-bootstrap-image', clusterBootstrap],
    ]);
  });
});

test('the tools of 4.21 support every flag that bootkube.sh passes', () => {
  const known = payloadTools(21).flatMap((tool) => tool.flags.map((flag) => `--${flag}`));
  const used = Object.values(toolsOf421).flatMap((flags) => flags.map(nameOf));
  expect(used.filter((flag) => !known.includes(flag))).toEqual([]);
});

const filesBelowEtc = [
  'kubernetes/bootstrap-configs/cluster-policy-controller-config.yaml',
  'kubernetes/bootstrap-configs/kube-apiserver-config.yaml',
  'kubernetes/bootstrap-configs/kube-controller-manager-config.yaml',
  'kubernetes/bootstrap-configs/kube-scheduler-config.yaml',
  'kubernetes/kubeconfig',
  'kubernetes/manifests/etcd-member-pod.yaml',
  'kubernetes/manifests/machineconfigoperator-bootstrap-pod.yaml',
  'kubernetes/static-pod-resources/etcd-member/ca.crt',
  'mcc/bootstrap/0000_10_crd.yaml',
  'mcc/bootstrap/50-nto-master-kernelargs.yaml',
  'mcc/bootstrap/99_feature-gate.yaml',
  'mcc/bootstrap/cluster-config.yaml',
  'mcc/bootstrap/cluster-ingress-00-namespace.yaml',
  'mcc/bootstrap/cvo-namespace.yaml',
  'mcc/bootstrap/etcd-namespace.yaml',
  'mcc/bootstrap/image-references',
  'mcc/bootstrap/kube-apiserver-namespace.yaml',
  'mcc/bootstrap/kube-controller-manager-namespace.yaml',
  'mcc/bootstrap/kube-scheduler-namespace.yaml',
  'mcc/bootstrap/machineconfigcontroller-controllerconfig.yaml',
  'mcc/bootstrap/rolebindingrestrictions.yaml',
  'mcs/kubeconfig',
  'ssl/mcs/tls.crt',
  'ssl/mcs/tls.key',
];

const filesToApply = [
  '0000_10_crd.yaml',
  '50-nto-master-kernelargs.yaml',
  '99_feature-gate.yaml',
  'cco-crd.yaml',
  'cluster-config.yaml',
  'cluster-ingress-00-namespace.yaml',
  'cvo-namespace.yaml',
  'etcd-namespace.yaml',
  'kube-apiserver-namespace.yaml',
  'kube-controller-manager-namespace.yaml',
  'kube-scheduler-namespace.yaml',
  'master.machineconfigpool.yaml',
  'rolebindingrestrictions.yaml',
];

const staticPods = [
  'bootstrap-pod.yaml',
  'kube-apiserver-pod.yaml',
  'kube-controller-manager-pod.yaml',
  'kube-scheduler-pod.yaml',
];
