import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { script, finishedCluster, changes, stages } from './finished-cluster.js';

describeWith(['bash', 'jq', 'openssl'], 'the post-reboot script', () => {
  test('completes the cluster and leaves only the files in the list', () => {
    const machine = finishedCluster();
    const { status, stderr, stdout } = machine.run(script);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'nothing of the installation is left on this node\n',
    });
    expect(stderr.split('\n').flatMap((line) => /^stage (\S+)$/.exec(line)?.[1] ?? [])).toEqual(stages);
    expect(changes(machine)).toEqual([
      'create configmap bootstrap --namespace=kube-system --from-literal=status=complete',
      'delete lease version --namespace=openshift-cluster-version --ignore-not-found',
      'delete configmap version --namespace=openshift-cluster-version --ignore-not-found',
      'delete lease cluster-policy-controller-lock --namespace=kube-system --ignore-not-found',
      'delete configmap cluster-policy-controller-lock --namespace=kube-system --ignore-not-found',
      'patch clusterversion version --type=merge --patch=opt/openshift/original_cvo_overrides.patch',
    ]);
    expect(machine.calls('systemctl')).toEqual([
      'daemon-reload',
      '--no-block restart kubelet.service',
      'daemon-reload',
      '--no-block restart kubelet.service',
    ]);
    expect(machine.calls('systemd-run')).toEqual([
      '--quiet --no-block --collect --property=After=bootkube.service systemctl daemon-reload',
    ]);
    expect(machine.list()).toEqual([
      '/etc/hostname',
      '/etc/kubernetes/manifests/etcd-pod.yaml',
      '/etc/kubernetes/manifests/kube-apiserver-pod.yaml',
      '/etc/kubernetes/manifests/kube-controller-manager-pod.yaml',
      '/etc/kubernetes/manifests/kube-scheduler-pod.yaml',
      // The installer's revision is kept until the operators prune it.
      ...['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].flatMap((base) => [
        `/etc/kubernetes/static-pod-resources/${base}-certs/secrets/pair/tls.key`,
        `/etc/kubernetes/static-pod-resources/${base}-pod-1/configmaps/config/config.yaml`,
      ]),
      '/etc/systemd/system-preset/20-ignition.preset',
      '/etc/systemd/system/kubelet.service',
      '/var/lib/etcd/member/snap/db',
      '/var/lib/kubelet/config.json',
      '/var/lib/kubelet/pki/kubelet-client-current.pem',
      '/var/lib/kubelet/pki/kubelet-server-current.pem',
    ]);
    expect(machine.read('etc/systemd/system-preset/20-ignition.preset')).toBe('enable kubelet.service\n');
    expect(readdirSync(join(machine.root, 'etc/systemd/system')).toSorted()).toEqual([
      'kubelet.service',
      'multi-user.target.wants',
    ]);
    expect(machine.has('opt/openshift')).toBe(false);
  });

  test('signals completion if the ConfigMap has another status', () => {
    const machine = finishedCluster();
    machine.answer('oc-get-configmap-bootstrap', 'progressing');
    machine.fail('oc-create-configmap-bootstrap', 'always');
    expect(machine.run(script).status).toBe(0);
    expect(changes(machine).filter((call) => call.includes('configmap bootstrap'))).toEqual([
      'create configmap bootstrap --namespace=kube-system --from-literal=status=complete',
      'patch configmap bootstrap --namespace=kube-system --type=merge --patch={"data":{"status":"complete"}}',
    ]);
  });
});
