import { expect, it } from 'vitest';

import { runningSite } from '../../../src/assets/manifests/running-site.js';
import { problemsOf } from '../../../src/core/result.js';
import { keyOf } from '../../../src/manifests/running-site/applied-manifests.js';
import { expectOk } from '../../support/sound-value.js';
import { showProblem } from '../../support/show-problem.js';
import { everything, made } from './generate.js';

it('omits objects that only the installation uses, and sends those that reboot the node last', async () => {
  const site = await made(runningSite, {
    ...everything,
    files: {
      'manifests/a.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: ptp}\n',
      'manifests/z.yaml':
        'apiVersion: operator.openshift.io/v1\nkind: IngressController\nmetadata: {name: a, namespace: openshift-ingress-operator}\n',
    },
  });
  expect(expectOk(site).manifests.map(({ object }) => keyOf(object))).toEqual([
    'Namespace ptp',
    'DNS.config.openshift.io cluster',
    'Infrastructure.config.openshift.io cluster',
    'Ingress.config.openshift.io cluster',
    'Network.config.openshift.io cluster',
    'Network.operator.openshift.io cluster',
    'PKI.config.openshift.io cluster',
    'Scheduler.config.openshift.io cluster',
    'ImageDigestMirrorSet.config.openshift.io image-digest-mirror',
    'Secret openshift-config/pull-secret',
    'ConfigMap openshift-config/user-ca-bundle',
    'IngressController.operator.openshift.io openshift-ingress-operator/a',
    'MachineConfig.machineconfiguration.openshift.io 99-master-ssh',
    'MachineConfig.machineconfiguration.openshift.io 99-worker-ssh',
    'OSImageStream.machineconfiguration.openshift.io cluster',
    'Proxy.config.openshift.io cluster',
    'FeatureGate.config.openshift.io cluster',
    'KubeletConfig.machineconfiguration.openshift.io master-graceful-shutdown',
    'MachineConfig.machineconfiguration.openshift.io 10-master-node-ip-hint',
    'MachineConfig.machineconfiguration.openshift.io 50-master-dnsmasq-configuration',
    'MachineConfig.machineconfiguration.openshift.io 99-dual-stack-master',
    'MachineConfig.machineconfiguration.openshift.io 99-dual-stack-worker',
    'MachineConfig.machineconfiguration.openshift.io 99-master-chrony',
    'MachineConfig.machineconfiguration.openshift.io 99-master-disk-encryption',
    'MachineConfig.machineconfiguration.openshift.io 99-master-hostname',
    'MachineConfig.machineconfiguration.openshift.io 99-master-kernel-arguments',
    'MachineConfig.machineconfiguration.openshift.io 99-master-node-labels',
    'MachineConfig.machineconfiguration.openshift.io 99-worker-chrony',
  ]);
});

it('warns about an edited manifest that is not applied', async () => {
  const path = 'manifests/kube-cloud-config.yaml';
  const text =
    'apiVersion: v1\nkind: Secret\nmetadata: {name: kube-cloud-cfg, namespace: kube-system}\nstringData: {config: a}\n';
  const site = await made(runningSite, { files: { [path]: text }, written: { [path]: 'generated' } });
  expect(problemsOf(site).map(showProblem)).toContainEqual(
    'warning[apply/left-out] manifests/kube-cloud-config.yaml:2:7 (kind): Secret kube-system/kube-cloud-cfg is not applied to a running cluster: only the installation reads it',
  );
});
