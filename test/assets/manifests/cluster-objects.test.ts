import { describe, expect, it } from 'vitest';

import { throwawayCaPem, throwawayLeafPem } from '../../support/throwaway-certificates.js';
import { dualStack, problemsWith, textsOf, type Given } from './generate.js';

interface Case {
  readonly name: string;
  readonly given?: Given;
  readonly path: string;
  /** Undefined if the file must not exist. */
  readonly want: string | undefined;
}

function describeFiles(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    it.each(cases)('$name', async ({ given, path, want }) => {
      expect((await textsOf(given))[path]).toBe(want);
    });
  });
}

function infrastructure({ cpuPartitioning = 'None' } = {}): string {
  return `apiVersion: config.openshift.io/v1
kind: Infrastructure
metadata:
  name: cluster
spec:
  platformSpec:
    type: None
status:
  apiServerInternalURI: https://api-int.edge.example.com:6443
  apiServerURL: https://api.edge.example.com:6443
  controlPlaneTopology: SingleReplica
  cpuPartitioning: ${cpuPartitioning}
  infrastructureName: edge-tlh4c
  infrastructureTopology: SingleReplica
  platform: None
  platformStatus:
    type: None
`;
}

describeFiles('Infrastructure', [
  { name: 'minimal', path: 'manifests/cluster-infrastructure-02-config.yml', want: infrastructure() },
  {
    name: 'partitioned CPUs',
    given: { install: 'cpuPartitioningMode: AllNodes' },
    path: 'manifests/cluster-infrastructure-02-config.yml',
    want: infrastructure({ cpuPartitioning: 'AllNodes' }),
  },
]);

describeFiles('DNS, Ingress and Scheduler', [
  {
    name: 'DNS',
    path: 'manifests/cluster-dns-02-config.yml',
    want: `apiVersion: config.openshift.io/v1
kind: DNS
metadata:
  name: cluster
spec:
  baseDomain: edge.example.com
`,
  },
  {
    name: 'Ingress',
    path: 'manifests/cluster-ingress-02-config.yml',
    want: `apiVersion: config.openshift.io/v1
kind: Ingress
metadata:
  name: cluster
spec:
  domain: apps.edge.example.com
status:
  defaultPlacement: ControlPlane
`,
  },
  {
    name: 'Scheduler',
    path: 'manifests/cluster-scheduler-02-config.yml',
    want: `apiVersion: config.openshift.io/v1
kind: Scheduler
metadata:
  name: cluster
spec:
  mastersSchedulable: true
`,
  },
]);

const joinSubnet = `networking:
  ovnKubernetesConfig:
    ipv4:
      internalJoinSubnet: 100.70.0.0/16
`;

describeFiles('Network', [
  {
    name: 'minimal',
    path: 'manifests/cluster-network-02-config.yml',
    want: `apiVersion: config.openshift.io/v1
kind: Network
metadata:
  name: cluster
spec:
  clusterNetwork:
    - cidr: 10.128.0.0/14
      hostPrefix: 23
  externalIP:
    policy: {}
  networkType: OVNKubernetes
  serviceNetwork:
    - 172.30.0.0/16
`,
  },
  {
    name: 'both families',
    given: { install: dualStack },
    path: 'manifests/cluster-network-02-config.yml',
    want: `apiVersion: config.openshift.io/v1
kind: Network
metadata:
  name: cluster
spec:
  clusterNetwork:
    - cidr: 10.128.0.0/14
      hostPrefix: 23
    - cidr: fd01::/48
      hostPrefix: 64
  externalIP:
    policy: {}
  networkType: OVNKubernetes
  serviceNetwork:
    - 172.30.0.0/16
    - fd02::/112
`,
  },
  { name: 'nothing for the operator', path: 'manifests/cluster-network-03-config.yml', want: undefined },
  {
    name: 'another join subnet',
    given: { install: joinSubnet },
    path: 'manifests/cluster-network-03-config.yml',
    want: `apiVersion: operator.openshift.io/v1
kind: Network
metadata:
  name: cluster
spec:
  clusterNetwork:
    - cidr: 10.128.0.0/14
      hostPrefix: 23
  defaultNetwork:
    ovnKubernetesConfig:
      ipv4:
        internalJoinSubnet: 100.70.0.0/16
    type: OVNKubernetes
  managementState: Managed
  serviceNetwork:
    - 172.30.0.0/16
`,
  },
]);

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '    ');
}

const trustBundle = `additionalTrustBundle: |\n${indented(throwawayCaPem)}`;
const proxyUrls = 'httpProxy: http://proxy.example.com:3128\n  httpsProxy: http://proxy.example.com:3129';
const ownNames = '.cluster.local,.svc,10.0.0.0/16,10.128.0.0/14,127.0.0.1,172.30.0.0/16';

function proxy(spec: string, status = ''): string {
  return `apiVersion: config.openshift.io/v1\nkind: Proxy\nmetadata:\n  name: cluster\nspec:${spec}\n${status}`;
}

function proxyStatus(noProxy: string): string {
  return `status:\n  ${proxyUrls}\n  noProxy: ${noProxy}\n`;
}

describeFiles('Proxy', [
  { name: 'none', path: 'manifests/cluster-proxy-01-config.yaml', want: proxy(' {}') },
  {
    name: 'both URLs',
    given: { install: `proxy:\n  ${proxyUrls}\n` },
    path: 'manifests/cluster-proxy-01-config.yaml',
    want: proxy(`\n  ${proxyUrls}`, proxyStatus(`${ownNames},api-int.edge.example.com,localhost`)),
  },
  {
    name: 'exceptions, each once, sorted',
    given: {
      install: `proxy:\n  ${proxyUrls}\n  noProxy: zoo.example.com,.svc,10.0.0.0/16,api.example.com\n`,
    },
    path: 'manifests/cluster-proxy-01-config.yaml',
    want: proxy(
      `\n  ${proxyUrls}\n  noProxy: zoo.example.com,.svc,10.0.0.0/16,api.example.com`,
      proxyStatus(`${ownNames},api-int.edge.example.com,api.example.com,localhost,zoo.example.com`),
    ),
  },
  {
    name: 'everything excepted',
    given: { install: `proxy:\n  ${proxyUrls}\n  noProxy: "*"\n` },
    path: 'manifests/cluster-proxy-01-config.yaml',
    want: proxy(`\n  ${proxyUrls}\n  noProxy: "*"`, proxyStatus('"*"')),
  },
  {
    name: 'a trust bundle without a proxy',
    given: { install: trustBundle },
    path: 'manifests/cluster-proxy-01-config.yaml',
    want: proxy(' {}'),
  },
  {
    name: 'a trust bundle for everything',
    given: { install: `additionalTrustBundlePolicy: Always\n${trustBundle}` },
    path: 'manifests/cluster-proxy-01-config.yaml',
    want: proxy('\n  trustedCA:\n    name: user-ca-bundle'),
  },
  {
    name: 'a trust bundle with a proxy',
    given: { install: `proxy:\n  ${proxyUrls}\n${trustBundle}` },
    path: 'manifests/cluster-proxy-01-config.yaml',
    want: proxy(
      `\n  ${proxyUrls}\n  trustedCA:\n    name: user-ca-bundle`,
      proxyStatus(`${ownNames},api-int.edge.example.com,localhost`),
    ),
  },
]);

describeFiles('the trust bundle', [
  { name: 'none', path: 'manifests/user-ca-bundle-config.yaml', want: undefined },
  {
    name: 'certificates alone, in canonical PEM',
    given: {
      install: `additionalTrustBundle: |\n${indented(`${throwawayCaPem}\n\n${throwawayLeafPem}\n\n`)}`,
    },
    path: 'manifests/user-ca-bundle-config.yaml',
    want: `apiVersion: v1
data:
  ca-bundle.crt: |
${indented(throwawayCaPem + throwawayLeafPem)}kind: ConfigMap
metadata:
  annotations:
    openshift.io/owning-component: End User
  name: user-ca-bundle
  namespace: openshift-config
`,
  },
]);

function clusterVersion(spec: string): string {
  return `apiVersion: config.openshift.io/v1
kind: ClusterVersion
metadata:
  name: version
  namespace: openshift-cluster-version
spec:
${spec}  clusterID: fb5256a7-f017-4f59-ae3e-8b3bb222a4da
`;
}

describeFiles('ClusterVersion', [
  {
    name: 'the default release',
    path: 'manifests/cvo-overrides.yaml',
    want: clusterVersion('  channel: stable-4.21\n'),
  },
  {
    name: 'another release',
    given: { sno: 'releaseImage: quay.io/openshift-release-dev/ocp-release:4.18.3-x86_64\n' },
    path: 'manifests/cvo-overrides.yaml',
    want: clusterVersion('  channel: stable-4.18\n'),
  },
  {
    name: 'a release of unknown version',
    given: { sno: `releaseImage: quay.io/openshift-release-dev/ocp-release@sha256:${'ab'.repeat(32)}\n` },
    path: 'manifests/cvo-overrides.yaml',
    want: clusterVersion(''),
  },
  {
    name: 'capabilities',
    given: {
      install:
        'capabilities:\n  baselineCapabilitySet: None\n  additionalEnabledCapabilities: [Ingress, MachineAPI]\n',
    },
    path: 'manifests/cvo-overrides.yaml',
    want: clusterVersion(`  capabilities:
    additionalEnabledCapabilities:
      - Ingress
      - MachineAPI
    baselineCapabilitySet: None
  channel: stable-4.21
`),
  },
]);

describeFiles('mirrors', [
  { name: 'none', path: 'manifests/image-digest-mirror-set.yaml', want: undefined },
  {
    name: 'digest sources, in the order given',
    given: {
      install: `imageDigestSources:
  - source: quay.io/b
    mirrors: [mirror.example.com/b, backup.example.com/b]
    sourcePolicy: NeverContactSource
  - source: quay.io/a
    mirrors: [mirror.example.com/a]
`,
    },
    path: 'manifests/image-digest-mirror-set.yaml',
    want: `apiVersion: config.openshift.io/v1
kind: ImageDigestMirrorSet
metadata:
  name: image-digest-mirror
spec:
  imageDigestMirrors:
    - mirrorSourcePolicy: NeverContactSource
      mirrors:
        - mirror.example.com/b
        - backup.example.com/b
      source: quay.io/b
    - mirrors:
        - mirror.example.com/a
      source: quay.io/a
`,
  },
  {
    name: 'content sources',
    given: { install: 'imageContentSources:\n  - source: quay.io/a\n    mirrors: [mirror.example.com/a]\n' },
    path: 'manifests/image-content-source-policy.yaml',
    want: `apiVersion: operator.openshift.io/v1alpha1
kind: ImageContentSourcePolicy
metadata:
  name: image-policy
spec:
  repositoryDigestMirrors:
    - mirrors:
        - mirror.example.com/a
      source: quay.io/a
`,
  },
]);

function featureGate(spec: string): string {
  return `apiVersion: config.openshift.io/v1\nkind: FeatureGate\nmetadata:\n  name: cluster\nspec:${spec}\n`;
}

describeFiles('FeatureGate', [
  { name: 'the default set', path: 'openshift/99_feature-gate.yaml', want: featureGate(' {}') },
  {
    name: 'a preview',
    given: { install: 'featureSet: TechPreviewNoUpgrade\n' },
    path: 'openshift/99_feature-gate.yaml',
    want: featureGate('\n  featureSet: TechPreviewNoUpgrade'),
  },
  {
    name: 'single gates',
    given: { install: 'featureSet: CustomNoUpgrade\nfeatureGates: [One=true, Two=false, Three=true]\n' },
    path: 'openshift/99_feature-gate.yaml',
    want: featureGate(`
  customNoUpgrade:
    disabled:
      - Two
    enabled:
      - One
      - Three
  featureSet: CustomNoUpgrade`),
  },
]);

describe('a release with fewer features than the config uses', () => {
  it.each([
    {
      name: 'no version',
      given: { sno: `releaseImage: quay.io/openshift-release-dev/ocp-release@sha256:${'ab'.repeat(32)}\n` },
      want: `warning[manifest/release-version-unknown] sno-config.yaml:3:15 (releaseImage): the version of the release quay.io/openshift-release-dev/ocp-release@sha256:${'ab'.repeat(32)} is not known, so the cluster gets no update channel`,
    },
    {
      name: 'no streams',
      given: { install: 'osImageStream: rhel-10\n' },
      want: 'warning[manifest/os-image-stream] install-config.yaml:16:16 (osImageStream): osImageStream has no effect: release 4.21 does not serve OSImageStream',
    },
  ])('$name', async ({ given, want }) => {
    expect(await problemsWith(given)).toEqual([want]);
  });
});

const preview = 'featureSet: TechPreviewNoUpgrade\n';

function releaseOf(version: string): string {
  return `releaseImage: quay.io/openshift-release-dev/ocp-release:${version}-x86_64\n`;
}

function stream(apiVersion: string, name: string): string {
  return `apiVersion: machineconfiguration.openshift.io/${apiVersion}
kind: OSImageStream
metadata:
  name: cluster
spec:
  defaultStream: ${name}
`;
}

const streamPath = 'openshift/99_osimagestream.yaml';

describeFiles('OSImageStream', [
  {
    name: 'not known to 4.21',
    given: { install: preview, sno: releaseOf('4.21.3') },
    path: streamPath,
    want: undefined,
  },
  { name: 'a preview in 4.22, off', given: { sno: releaseOf('4.22.0') }, path: streamPath, want: undefined },
  {
    name: 'a preview in 4.22, on',
    given: { install: preview, sno: releaseOf('4.22.0') },
    path: streamPath,
    want: stream('v1alpha1', 'rhel-9'),
  },
  { name: '4.23', given: { sno: releaseOf('4.23.0') }, path: streamPath, want: stream('v1', 'rhel-9') },
  {
    name: '4.23 with a choice',
    given: { install: 'osImageStream: rhel-10\n', sno: releaseOf('4.23.0') },
    path: streamPath,
    want: stream('v1', 'rhel-10'),
  },
  { name: '5.0', given: { sno: releaseOf('5.0.0') }, path: streamPath, want: stream('v1', 'rhel-10') },
]);

const pkiPath = 'manifests/cluster-pki-02-config.yaml';

describeFiles('PKI', [
  { name: 'off by default', given: { sno: releaseOf('4.22.0') }, path: pkiPath, want: undefined },
  { name: 'not known to 4.21', given: { install: preview }, path: pkiPath, want: undefined },
  {
    name: 'a preview',
    given: { install: preview, sno: releaseOf('4.22.0') },
    path: pkiPath,
    want: `apiVersion: config.openshift.io/v1alpha1
kind: PKI
metadata:
  name: cluster
spec:
  certificateManagement:
    mode: Default
`,
  },
  {
    name: 'a preview with keys of one’s own',
    given: {
      install: `${preview}pki:\n  signerCertificates:\n    key:\n      algorithm: ECDSA\n      ecdsa:\n        curve: P384\n`,
      sno: releaseOf('4.22.0'),
    },
    path: pkiPath,
    want: `apiVersion: config.openshift.io/v1alpha1
kind: PKI
metadata:
  name: cluster
spec:
  certificateManagement:
    custom:
      defaults:
        key:
          algorithm: RSA
          rsa:
            keySize: 4096
      signerCertificates:
        key:
          algorithm: ECDSA
          ecdsa:
            curve: P384
    mode: Custom
`,
  },
]);

describeFiles('the install-config that the cluster keeps', [
  {
    name: 'minimal',
    path: 'manifests/cluster-config.yaml',
    want: `apiVersion: v1
data:
  install-config: |
    additionalTrustBundlePolicy: Proxyonly
    apiVersion: v1
    baseDomain: example.com
    bootstrapInPlace:
      installationDisk: /dev/disk/by-id/wwn-0x5000c500a1b2c3d4
    compute:
      - architecture: amd64
        hyperthreading: Enabled
        name: worker
        platform: {}
        replicas: 0
    controlPlane:
      architecture: amd64
      hyperthreading: Enabled
      name: master
      platform: {}
      replicas: 1
    cpuPartitioningMode: None
    metadata:
      name: edge
    networking:
      clusterNetwork:
        - cidr: 10.128.0.0/14
          hostPrefix: 23
      machineNetwork:
        - cidr: 10.0.0.0/16
      networkType: OVNKubernetes
      serviceNetwork:
        - 172.30.0.0/16
    platform:
      none: {}
    publish: External
    pullSecret: ""
kind: ConfigMap
metadata:
  annotations:
    kubernetes.io/description: The install-config.yaml of this cluster, without its pull secret
  name: cluster-config-v1
  namespace: kube-system
`,
  },
]);
