import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { nodeWithAllDoneBut, runsOfTools } from '../support/bootkube.js';

describeWith(['bash', 'jq'], 'bootkube.sh with a control plane that the installer rendered', () => {
  const rendered = {
    'etc-kubernetes/manifests/etcd-member-pod.yaml': 'our etcd',
    'etc-kubernetes/static-pod-resources/etcd-member/ca.crt': 'our ca',
    'configs/kube-apiserver-config.yaml': 'our kube-apiserver',
    'configs/kube-controller-manager-config.yaml': 'our kube-controller-manager',
    'configs/cluster-policy-controller-config.yaml': 'our cluster-policy-controller',
    'configs/kube-scheduler-config.yaml': 'our kube-scheduler',
    'bootstrap-manifests/kube-apiserver-pod.yaml': 'our pod',
    'bootstrap-manifests/kube-controller-manager-pod.yaml': 'our pod',
    'bootstrap-manifests/kube-scheduler-pod.yaml': 'our pod',
    'manifests/control-plane-namespaces.yaml': 'our objects',
  };
  const components = [
    'etcd-bootstrap',
    'kube-apiserver-bootstrap',
    'kube-controller-manager-bootstrap',
    'kube-scheduler-bootstrap',
  ];

  test('takes its files and asks no operator', () => {
    const node = nodeWithAllDoneBut(components, { variables: { SNO_RENDER: 'Installer' } });
    for (const [path, text] of Object.entries(rendered))
      node.write(`opt/openshift/control-plane/${path}`, text);

    expect(node.run('bootkube.sh').status).toBe(0);

    expect(runsOfTools(node)).toEqual([]);
    const places = Object.entries(rendered).map(([path, text]) => [
      path
        .replace(/^etc-kubernetes/, 'etc/kubernetes')
        .replace(/^configs/, 'etc/kubernetes/bootstrap-configs')
        .replace(/^(bootstrap-manifests|manifests)/, 'opt/openshift/$1'),
      text,
    ]);
    expect(places.map(([path = '']) => [path, node.read(path)])).toEqual(places);
  });

  test('says which file is missing', () => {
    const node = nodeWithAllDoneBut(components, { variables: { SNO_RENDER: 'Installer' } });
    node.write('opt/openshift/control-plane/etc-kubernetes/manifests/etcd-member-pod.yaml', '');

    const { status, stderr } = node.run('bootkube.sh');

    expect(status).toBe(1);
    expect(stderr).toContain(
      'SNO_RENDER is Installer, but /opt/openshift/control-plane/bootstrap-manifests/kube-apiserver-pod.yaml is missing\n',
    );
  });
});
