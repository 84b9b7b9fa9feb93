import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import type { Machine } from './machine.js';
import { nodeFileRows } from './node-files.js';
import {
  script,
  ready,
  pods,
  podsNamed,
  operatorAt,
  finishedCluster,
  changes,
  stages,
} from './finished-cluster.js';

const operator = (name: string, status: string) => ({
  metadata: { name },
  status: { conditions: [{ type: 'Available', status }] },
});

/** The installer rendered revision 1 of each static pod, and each operator keeps it. */
function renderedByInstaller(machine: Machine): void {
  const env = 'opt/openshift/sno-install.env';
  machine.write(env, `${machine.read(env)}SNO_RENDER=Installer\n`);
  machine.answer('oc-get-pods', pods('1'));
  for (const kind of ['etcds', 'kubeapiservers', 'kubecontrollermanagers', 'kubeschedulers'])
    machine.answer(`oc-get-${kind}.operator.openshift.io-cluster`, operatorAt(1));
}

/** Marks the stages before this one as done. The first two run at every start. */
function completeBefore(machine: Machine, stage: (typeof stages)[number]): void {
  for (const name of stages.slice(2, Math.max(2, stages.indexOf(stage))))
    machine.write(`opt/openshift/${name}.done`, '');
}

describeWith(['bash', 'jq', 'openssl'], 'a wait that times out', () => {
  test.each<{
    name: string;
    given: (machine: Machine) => void;
    stage: (typeof stages)[number];
    want: string;
  }>([
    {
      name: 'another host name than during the bootstrap',
      given: (machine) => {
        machine.answer('hostname', 'localhost\n');
      },
      stage: 'node-identity',
      want:
        'the host name and address that the node had during the bootstrap, for more than 300 s. ' +
        'They were sno1 and 192.168.126.10; now they are localhost and 192.168.126.10. Set them back.',
    },
    {
      name: 'no API server',
      given: (machine) => {
        machine.fail('oc', 'always');
      },
      stage: 'api',
      want:
        'the API server on localhost, for more than 3600 s. ' +
        'The images of the control plane may still be on their way: see crictl ps -a and journalctl -u kubelet.',
    },
    {
      name: 'a lease that cannot be deleted is not accepted as released',
      given: (machine) => {
        machine.fail('oc-delete-lease-version', 'always');
      },
      stage: 'release-cvo-lease',
      want: 'the release of the lock openshift-cluster-version/version, for more than 600 s. See journalctl -u bootkube.',
    },
    {
      name: 'a node that is not Ready',
      given: (machine) => {
        machine.answer('oc-get-node-sno1', ready('Ready', 'False'));
      },
      stage: 'node-ready',
      want:
        'the node sno1 to be Ready, for more than 3600 s. ' +
        'The kubelet needs api-int.sno.example.com, which resolves to: 192.168.126.10.',
    },
    {
      name: 'no operator of the API server',
      given: (machine) => {
        machine.answer('oc-get-pods', `{"items":[${ready('Ready', 'False')}]}`);
      },
      stage: 'restart-kubelet-for-network',
      want: 'the kube-apiserver operator to be Ready, for more than 3600 s. See oc get pods --all-namespaces.',
    },
    {
      name: 'the API server of the bootstrap is still running',
      given: (machine) => {
        machine.answer('oc-get-pods', pods(''));
      },
      stage: 'restart-kubelet-for-api',
      want: "the kube-apiserver operator's own static pod, for more than 3600 s. See oc get clusteroperators kube-apiserver.",
    },
    {
      name: 'operators that are not available',
      given: (machine) => {
        machine.answer('oc-get-clusterversion-version', ready('Available', 'False'));
        const items = [operator('dns', 'False'), operator('etcd', 'True'), operator('ingress', 'False')];
        machine.answer('oc-get-clusteroperators', JSON.stringify({ items }));
      },
      stage: 'cluster-available',
      want: 'the ClusterVersion to be Available, for more than 7200 s. See oc get clusteroperators.',
    },
    {
      name: 'static pods of the first revision, rendered by the installer',
      given: (machine) => {
        machine.write(
          'opt/openshift/sno-install.env',
          `${machine.read('opt/openshift/sno-install.env')}SNO_RENDER=Installer\n`,
        );
        machine.answer('oc-get-pods', pods('1'));
      },
      stage: 'operators-own-control-plane',
      want:
        'the operators to take over the static pods of the bootstrap, for more than 3600 s. ' +
        'See oc get clusteroperators etcd kube-apiserver kube-controller-manager kube-scheduler.',
    },
    {
      name: 'a static pod of the bootstrap next to that of the operator',
      given: (machine) => {
        machine.answer('oc-get-pods', pods('', '1'));
      },
      stage: 'operators-own-control-plane',
      want:
        'the operators to take over the static pods of the bootstrap, for more than 3600 s. ' +
        'See oc get clusteroperators etcd kube-apiserver kube-controller-manager kube-scheduler.',
    },
    {
      name: 'Ready pods with another name, created by the operators',
      given: (machine) => {
        machine.answer(
          'oc-get-pods',
          podsNamed({ name: 'kube-apiserver-startup-monitor-sno1', revision: '2' }),
        );
      },
      stage: 'operators-own-control-plane',
      want:
        'the operators to take over the static pods of the bootstrap, for more than 3600 s. ' +
        'See oc get clusteroperators etcd kube-apiserver kube-controller-manager kube-scheduler.',
    },
    {
      name: 'an operator with a newer revision for the node',
      given: (machine) => {
        renderedByInstaller(machine);
        machine.answer('oc-get-kubeschedulers.operator.openshift.io-cluster', operatorAt(1, 2));
      },
      stage: 'operators-own-control-plane',
      want:
        'the operators to take over the static pods of the bootstrap, for more than 3600 s. ' +
        'See oc get clusteroperators etcd kube-apiserver kube-controller-manager kube-scheduler.',
    },
    {
      name: "a static pod that reads the bootstrap's secrets",
      given: (machine) => {
        machine.write(
          'etc/kubernetes/manifests/etcd-pod.yaml',
          '/etc/kubernetes/static-pod-resources/etcd-member\n',
        );
      },
      stage: 'operators-own-control-plane',
      want:
        'the operators to take over the static pods of the bootstrap, for more than 3600 s. ' +
        'See oc get clusteroperators etcd kube-apiserver kube-controller-manager kube-scheduler.',
    },
    {
      name: 'static pods that cannot be read',
      given: (machine) => {
        rmSync(join(machine.root, 'etc/kubernetes/manifests'), { recursive: true });
      },
      stage: 'operators-own-control-plane',
      want:
        'the operators to take over the static pods of the bootstrap, for more than 3600 s. ' +
        'See oc get clusteroperators etcd kube-apiserver kube-controller-manager kube-scheduler.',
    },
  ])('reports the wait and resumes it at the next start: $name', ({ given, stage, want }) => {
    const machine = finishedCluster();
    completeBefore(machine, stage);
    given(machine);
    expect(machine.run(script).status).toBe(1);
    expect(machine.console()).toBe(`The installation is still waiting for ${want}\n`);
    expect(machine.stages(script.replace('.sh', '')).at(-1)).toBe(`${stage} failure`);
    expect(machine.has(`opt/openshift/${stage}.done`)).toBe(false);
    expect(machine.has('etc/kubernetes/bootstrap-secrets/kubeconfig')).toBe(true);
  });

  test.each([
    { render: 'Release', revision: '1' },
    { render: 'Installer', revision: '2' },
  ])('$render: revision $revision is of the operator', ({ render, revision }) => {
    const machine = finishedCluster();
    completeBefore(machine, 'operators-own-control-plane');
    machine.write(
      'opt/openshift/sno-install.env',
      `${machine.read('opt/openshift/sno-install.env')}SNO_RENDER=${render}\n`,
    );
    machine.answer('oc-get-pods', pods(revision));
    expect(machine.run(script).status).toBe(0);
  });

  test('Installer: accepts operators that keep revision 1', () => {
    const machine = finishedCluster();
    completeBefore(machine, 'operators-own-control-plane');
    renderedByInstaller(machine);
    expect(machine.run(script).status).toBe(0);
    expect(machine.has('opt/openshift')).toBe(false);
  });

  test('the log names the static pods that wait for their operators, each time they change', () => {
    const machine = finishedCluster();
    completeBefore(machine, 'operators-own-control-plane');
    machine.answer('oc-get-pods', pods(''));
    const { stderr } = machine.run(script);
    expect(stderr.split('\n').filter((line) => line.startsWith('static pods'))).toEqual([
      'static pods that their operators have not taken over: etcd kube-apiserver kube-controller-manager kube-scheduler',
    ]);
  });

  test('the log names the operators that are missing, each time they change', () => {
    const machine = finishedCluster();
    completeBefore(machine, 'cluster-available');
    machine.answer('oc-get-clusterversion-version', ready('Available', 'False'));
    machine.answer(
      'oc-get-clusteroperators',
      JSON.stringify({ items: [operator('dns', 'False'), operator('etcd', 'True')] }),
    );
    const { stderr } = machine.run(script);
    expect(stderr.split('\n').filter((line) => line.startsWith('not available'))).toEqual([
      'not available: dns',
    ]);
  });

  test('once the fault is removed, it continues and completes', () => {
    const machine = finishedCluster();
    completeBefore(machine, 'node-ready');
    machine.answer('oc-get-node-sno1', ready('Ready', 'False'));
    expect(machine.run(script).status).toBe(1);
    machine.answer('oc-get-node-sno1', ready('Ready'));
    machine.forgetCalls();
    expect(machine.run(script).status).toBe(0);
    expect(changes(machine)).toEqual([]);
    expect(machine.has('opt/openshift')).toBe(false);
  });

  test('continues if the kubelet has no serving certificate', () => {
    const machine = finishedCluster();
    completeBefore(machine, 'serving-certificate');
    rmSync(join(machine.root, 'var/lib/kubelet/pki'), { recursive: true });
    const { status, stderr } = machine.run(script);
    expect(status).toBe(0);
    expect(stderr).toContain(
      'the kubelet has no serving certificate yet: approve its request with oc adm certificate approve\n',
    );
  });
});

describeWith(['bash', 'jq', 'openssl'], 'a kill', () => {
  test.each(['oc-patch-clusterversion-version', 'systemctl---no-block'])(
    'at %s: the next start completes the work',
    (name) => {
      const machine = finishedCluster();
      machine.killAt(name);
      expect(machine.run(script).signal).toBe('SIGKILL');
      expect(machine.run(script).status).toBe(0);
      expect(leftOf(machine)).toEqual([]);
    },
  );

  test('at a step of the clean-up: the next start completes it', () => {
    const whole = finishedCluster();
    whole.write('opt/openshift/cluster-complete.done', '');
    expect(whole.run(script).status).toBe(0);
    const steps = whole.calls('rm').length;
    expect(leftOf(whole)).toEqual([]);
    for (const step of [0, 14, steps - 2, steps - 1]) {
      const machine = finishedCluster();
      machine.write('opt/openshift/cluster-complete.done', '');
      machine.killAt('rm', step);
      expect(machine.run(script).signal).toBe('SIGKILL');
      expect([step, machine.has('etc/systemd/system/bootkube.service')]).toEqual([step, true]);
      expect([step, machine.has('opt/openshift/sno-install.env')]).toEqual([step, true]);
      expect([step, machine.run(script).status]).toEqual([step, 0]);
      expect(leftOf(machine)).toEqual([]);
    }
  });
});

/** Listed paths that should have been deleted but still exist. */
function leftOf(machine: Machine): readonly string[] {
  const removed = nodeFileRows.filter(({ fate, mode }) => fate !== 'keep' && mode !== 'preset');
  return removed.map(({ path }) => path).filter((path) => machine.has(path));
}
