import { expect, it } from 'vitest';

import { schemaProblems } from '../../../src/manifests/schemas/check-schemas.js';
import { objectsOf } from '../../assets/manifests/given.js';

const cluster = {
  version: { major: 4, minor: 22, text: '4.22' },
  isOkd: false,
  featureSet: '',
  isMerged: false,
};

const object = (apiVersion: string, kind: string, rest: string) =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a, namespace: default}\n${rest}\n`;

it.each<[kind: string, apiVersion: string, rest: string, places: readonly string[]]>([
  // The API server of Kubernetes refuses these.
  [
    'Deployment',
    'apps/v1',
    'spec: {replicas: 1, template: {spec: {containers: [{name: a, image: b}]}}}',
    ['4:1 spec.selector'],
  ],
  [
    'Deployment',
    'apps/v1',
    'spec: {replicas: two}',
    ['4:18 spec.replicas', '4:1 spec.selector', '4:1 spec.template'],
  ],
  ['DaemonSet', 'apps/v1', '', ['1:1 spec']],
  [
    'CronJob',
    'batch/v1',
    'spec: {schedule: hourly, jobTemplate: {spec: {template: {spec: {containers: [{name: a, image: b}]}}}}}',
    ['4:58 spec.jobTemplate.spec.template.spec.restartPolicy', '4:18 spec.schedule'],
  ],
  ['RoleBinding', 'rbac.authorization.k8s.io/v1', 'subjects: []', ['1:1 roleRef']],
  ['Service', 'v1', 'spec: {}', ['4:1 spec.ports']],
  ['StorageClass', 'storage.k8s.io/v1', '', ['1:1 provisioner']],
  // Custom resources.
  [
    'PerformanceProfile',
    'performance.openshift.io/v2',
    'spec:\n  cpu: {isolated: 1-15, reserved: 0}\n  nodeSelector: {node-role.kubernetes.io/master: ""}',
    ['5:35 spec.cpu.reserved'],
  ],
  [
    'Tuned',
    'tuned.openshift.io/v1',
    'spec:\n  profile: [{name: a, data: "[main]"}]\n  recommend: [{profile: a, priority: "19"}]',
    ['6:38 spec.recommend[0].priority'],
  ],
  [
    'MachineConfig',
    'machineconfiguration.openshift.io/v1',
    'spec:\n  kernelArguments: quiet',
    ['5:20 spec.kernelArguments'],
  ],
  [
    'LVMCluster',
    'lvm.topolvm.io/v1alpha1',
    'spec:\n  storage:\n    deviceClasses:\n      - {name: vg1, deviceSelector: {paths: /dev/disk/by-path/a}}',
    ['7:45 spec.storage.deviceClasses[0].deviceSelector.paths'],
  ],
  [
    'PtpConfig',
    'ptp.openshift.io/v1',
    'spec:\n  profile: [{name: slave, interface: ens1f0}]\n  recommend: [{profile: slave, priority: "4"}]',
    ['6:42 spec.recommend[0].priority'],
  ],
  [
    'SriovNetworkNodePolicy',
    'sriovnetwork.openshift.io/v1',
    'spec: {resourceName: a, deviceType: vfio, nicSelector: {}, nodeSelector: {}, numVfs: "8"}',
    ['4:37 spec.deviceType', '4:86 spec.numVfs'],
  ],
  [
    'SriovNetwork',
    'sriovnetwork.openshift.io/v1',
    'spec: {resourceName: a, linkState: up, vlan: 4096}',
    ['4:36 spec.linkState', '4:46 spec.vlan'],
  ],
  [
    'LocalVolume',
    'local.storage.openshift.io/v1',
    'spec:\n  storageClassDevices: [{storageClassName: a, devicePaths: /dev/disk/by-path/a}]',
    ['5:60 spec.storageClassDevices[0].devicePaths'],
  ],
  [
    'Subscription',
    'operators.coreos.com/v1alpha1',
    'spec: {channel: 4.21, name: a, source: redhat-operators, sourceNamespace: openshift-marketplace}',
    ['4:17 spec.channel'],
  ],
  [
    'CatalogSource',
    'operators.coreos.com/v1alpha1',
    'spec: {sourceType: grpc, image: a, updateStrategy: {registryPoll: {interval: 30}}}',
    ['4:78 spec.updateStrategy.registryPoll.interval'],
  ],
  [
    'ClusterLogForwarder',
    'observability.openshift.io/v1',
    'spec: {serviceAccount: {name: collector}, outputs: [{name: kafka, type: kafka, kafka: {url: "tls://a.example.com:9093"}}], pipelines: [{name: all, inputRefs: [audit], outputRefs: kafka}]}',
    ['4:180 spec.pipelines[0].outputRefs'],
  ],
  [
    'IngressController',
    'operator.openshift.io/v1',
    'spec: {replicas: one, endpointPublishingStrategy: {type: Hostnetwork}}',
    ['4:18 spec.replicas', '4:58 spec.endpointPublishingStrategy.type'],
  ],
])('refuses a %s of %s at its field: %s', (kind, apiVersion, rest, places) => {
  expect(
    schemaProblems(objectsOf(object(apiVersion, kind, rest)), cluster).map(
      ({ severity, at }) => `${severity} ${String(at?.line)}:${String(at?.col)} ${String(at?.path)}`,
    ),
  ).toEqual(places.map((place) => `error ${place}`));
});
