/** A value of one field that differs from the test's base config. */
export interface SettingSample {
  /** Path as in the schema, such as `compute[].replicas`. */
  readonly field: string;
  /** YAML of the top-level field, with all fields that the value requires. */
  readonly yaml: string;
}

const certificate = `-----BEGIN CERTIFICATE-----
  MIIBhTCCASugAwIBAgIUJqe3qJJwbQ97ujEnYIhql6lLnbUwCgYIKoZIzj0EAwIw
  FzEVMBMGA1UEAwwMdGhyb3dhd2F5LWNhMCAXDTI2MTEyMTEwMTA0MFoYDzIxMjYx
  MDI4MTAxMDQwWjAXMRUwEwYDVQQDDAx0aHJvd2F3YXktY2EwWTATBgcqhkjOPQIB
  BggqhkjOPQMBBwNCAAS54qsPRUsHgKCtPjYf0ydq4YCuUk3dNn6uWrj7GTQ//+kK
  hRR3OyeuN7QXaruBIpKfA/MC3aN/ar+SF16Mi8+To1MwUTAdBgNVHQ4EFgQUICao
  B//8o0aYjpRPDwe1vuNkcEowHwYDVR0jBBgwFoAUICaoB//8o0aYjpRPDwe1vuNk
  cEowDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiA4k7pMgAUZSEmO
  nvmJCH8DAtnVJJh3bGgkCdGg0/HtMAIhAPpBplZfc7nJUoTb0RFwvLjOU9sBHDuk
  78pXZKZY0qb+
  -----END CERTIFICATE-----`;

const pool = 'controlPlane: {name: master, replicas: 1,';
const worker = 'compute: [{name: worker, replicas: 0,';
const network = (cidr: string): string => `networking: {machineNetwork: [{cidr: 192.168.126.0/24}], ${cidr}}`;
const sha = '0'.repeat(64);
const file = (more: string): string =>
  `aio: {files: [{path: /opt/tool.tgz, url: "https://files.example.com/tool", ${more}}]}`;
const digest = `@sha256:${'1f'.repeat(32)}`;

/** Samples for install-config.yaml. */
export const installSamples: readonly SettingSample[] = [
  { field: 'apiVersion', yaml: 'apiVersion: v2' },
  { field: 'kind', yaml: 'kind: InstallConfig' },
  { field: 'metadata.name', yaml: 'metadata: {name: other}' },
  { field: 'metadata.labels', yaml: 'metadata: {name: site1, labels: {a: b}}' },
  { field: 'metadata.annotations', yaml: 'metadata: {name: site1, annotations: {a: b}}' },
  { field: 'metadata.namespace', yaml: 'metadata: {name: site1, namespace: a}' },
  { field: 'metadata.creationTimestamp', yaml: 'metadata: {name: site1, creationTimestamp: null}' },
  { field: 'baseDomain', yaml: 'baseDomain: example.org' },
  { field: 'pullSecret', yaml: `pullSecret: '{"auths":{"other.example.com":{"auth":"YTpi"}}}'` },
  { field: 'sshKey', yaml: 'sshKey: ""' },
  { field: 'controlPlane.name', yaml: 'controlPlane: {name: other, replicas: 1}' },
  { field: 'controlPlane.replicas', yaml: 'controlPlane: {name: master, replicas: 3}' },
  { field: 'controlPlane.architecture', yaml: `${pool} architecture: arm64}` },
  { field: 'controlPlane.hyperthreading', yaml: `${pool} hyperthreading: Disabled}` },
  { field: 'controlPlane.platform', yaml: `${pool} platform: {aws: {}}}` },
  { field: 'controlPlane.fencing', yaml: `${pool} fencing: {a: b}}` },
  { field: 'controlPlane.diskSetup', yaml: `${pool} diskSetup: [{a: b}]}` },
  { field: 'controlPlane.management', yaml: `${pool} management: a}` },
  { field: 'compute[].name', yaml: 'compute: [{name: other, replicas: 0}]' },
  { field: 'compute[].replicas', yaml: 'compute: [{name: worker, replicas: 2}]' },
  { field: 'compute[].architecture', yaml: `${worker} architecture: arm64}]` },
  { field: 'compute[].hyperthreading', yaml: `${worker} hyperthreading: Disabled}]` },
  { field: 'compute[].platform', yaml: `${worker} platform: {aws: {}}}]` },
  { field: 'compute[].fencing', yaml: `${worker} fencing: {a: b}}]` },
  { field: 'compute[].diskSetup', yaml: `${worker} diskSetup: [{a: b}]}]` },
  { field: 'compute[].management', yaml: `${worker} management: a}]` },
  { field: 'arbiter', yaml: 'arbiter: {name: arbiter}' },
  { field: 'networking.networkType', yaml: network('networkType: Other') },
  { field: 'networking.machineNetwork[].cidr', yaml: 'networking: {machineNetwork: [{cidr: 10.9.0.0/16}]}' },
  {
    field: 'networking.clusterNetwork[].cidr',
    yaml: network('clusterNetwork: [{cidr: 10.64.0.0/14, hostPrefix: 23}]'),
  },
  {
    field: 'networking.clusterNetwork[].hostPrefix',
    yaml: network('clusterNetwork: [{cidr: 10.128.0.0/14, hostPrefix: 24}]'),
  },
  {
    field: 'networking.clusterNetwork[].hostSubnetLength',
    yaml: network('clusterNetwork: [{cidr: 10.128.0.0/14, hostSubnetLength: 8}]'),
  },
  { field: 'networking.serviceNetwork', yaml: network('serviceNetwork: [172.31.0.0/16]') },
  {
    field: 'networking.ovnKubernetesConfig.ipv4.internalJoinSubnet',
    yaml: network('ovnKubernetesConfig: {ipv4: {internalJoinSubnet: 100.99.0.0/16}}'),
  },
  { field: 'networking.clusterNetworkMTU', yaml: network('clusterNetworkMTU: 9000') },
  { field: 'networking.machineCIDR', yaml: 'networking: {machineCIDR: 10.9.0.0/16}' },
  { field: 'networking.serviceCIDR', yaml: network('serviceCIDR: 172.31.0.0/16') },
  {
    field: 'networking.clusterNetworks[].cidr',
    yaml: network('clusterNetworks: [{cidr: 10.64.0.0/14, hostPrefix: 23}]'),
  },
  {
    field: 'networking.clusterNetworks[].hostPrefix',
    yaml: network('clusterNetworks: [{cidr: 10.128.0.0/14, hostPrefix: 24}]'),
  },
  {
    field: 'networking.clusterNetworks[].hostSubnetLength',
    yaml: network('clusterNetworks: [{cidr: 10.128.0.0/14, hostSubnetLength: 8}]'),
  },
  { field: 'networking.type', yaml: network('type: Other') },
  { field: 'platform.none', yaml: 'platform: {}' },
  ...['aws', 'azure', 'baremetal', 'gcp', 'ibmcloud', 'nutanix', 'openstack', 'ovirt'].map(platform),
  ...['powervc', 'powervs', 'vsphere'].map(platform),
  { field: 'platform.external.platformName', yaml: 'platform: {external: {platformName: oci}}' },
  {
    field: 'platform.external.cloudControllerManager',
    yaml: 'platform: {external: {cloudControllerManager: External}}',
  },
  { field: 'proxy.httpProxy', yaml: 'proxy: {httpProxy: "http://proxy.example.com:1"}' },
  { field: 'proxy.httpsProxy', yaml: 'proxy: {httpsProxy: "http://proxy.example.com:1"}' },
  {
    field: 'proxy.noProxy',
    yaml: 'proxy: {httpProxy: "http://proxy.example.com:1", noProxy: a.example.com}',
  },
  { field: 'additionalTrustBundle', yaml: `additionalTrustBundle: |\n  ${certificate}` },
  {
    field: 'additionalTrustBundlePolicy',
    yaml: `additionalTrustBundlePolicy: Always\nadditionalTrustBundle: |\n  ${certificate}`,
  },
  ...['source', 'mirrors'].flatMap((name) => [
    mirror(`imageDigestSources[].${name}`),
    mirror(`imageContentSources[].${name}`),
  ]),
  {
    field: 'imageDigestSources[].sourcePolicy',
    yaml: 'imageDigestSources: [{source: quay.io/a, mirrors: [registry.example.com/a], sourcePolicy: NeverContactSource}]',
  },
  { field: 'publish', yaml: 'publish: Internal' },
  { field: 'operatorPublishingStrategy', yaml: 'operatorPublishingStrategy: {a: b}' },
  { field: 'fips', yaml: 'fips: true' },
  { field: 'cpuPartitioningMode', yaml: 'cpuPartitioningMode: AllNodes' },
  { field: 'credentialsMode', yaml: 'credentialsMode: Manual' },
  {
    field: 'bootstrapInPlace.installationDisk',
    yaml: 'bootstrapInPlace: {installationDisk: /dev/disk/by-id/wwn-0x5000c500a1b2c3d5}',
  },
  { field: 'capabilities.baselineCapabilitySet', yaml: 'capabilities: {baselineCapabilitySet: vCurrent}' },
  {
    field: 'capabilities.additionalEnabledCapabilities',
    yaml: 'capabilities: {baselineCapabilitySet: v4.17, additionalEnabledCapabilities: [OperatorLifecycleManagerV1]}',
  },
  { field: 'featureSet', yaml: 'featureSet: TechPreviewNoUpgrade' },
  { field: 'featureGates', yaml: 'featureSet: CustomNoUpgrade\nfeatureGates: [A=true]' },
  { field: 'osImageStream', yaml: 'osImageStream: rhel-10' },
  { field: 'pki.signerCertificates.key.algorithm', yaml: pki('algorithm: ECDSA, ecdsa: {curve: P384}') },
  { field: 'pki.signerCertificates.key.rsa.keySize', yaml: pki('algorithm: RSA, rsa: {keySize: 3072}') },
  { field: 'pki.signerCertificates.key.ecdsa.curve', yaml: pki('algorithm: ECDSA, ecdsa: {curve: P256}') },
];

function platform(name: string): SettingSample {
  return { field: `platform.${name}`, yaml: `platform: {${name}: {}}` };
}

function mirror(field: string): SettingSample {
  const [name = ''] = field.split('[');
  return { field, yaml: `${name}: [{source: quay.io/a, mirrors: [registry.example.com/a]}]` };
}

function pki(key: string): string {
  return `featureSet: TechPreviewNoUpgrade\npki: {signerCertificates: {key: {${key}}}}`;
}

/** Samples for sno-config.yaml, without `network`. */
export const snoSamples: readonly SettingSample[] = [
  { field: 'apiVersion', yaml: 'apiVersion: v2' },
  { field: 'kind', yaml: 'kind: Other' },
  { field: 'hostname', yaml: 'hostname: node-7' },
  { field: 'nodeIP', yaml: 'nodeIP: 192.168.126.7' },
  { field: 'nodeLabels', yaml: 'nodeLabels: {example.com/site: paris}' },
  { field: 'pullSecretFile', yaml: 'pullSecretFile: pull.json' },
  { field: 'sshKeyFile', yaml: 'sshKeyFile: core.pub' },
  { field: 'releaseImage', yaml: 'releaseImage: quay.io/openshift-release-dev/ocp-release:4.20.1-x86_64' },
  { field: 'releaseVersion', yaml: `releaseImage: quay.io/a/b${digest}\nreleaseVersion: 4.20.1` },
  { field: 'imageReferences', yaml: 'imageReferences: image-references' },
  { field: 'payload.file', yaml: 'payload: {file: 4.22.0-x86_64.payload}' },
  { field: 'payload.keep', yaml: 'payload: {file: 4.22.0-x86_64.payload, keep: false}' },
  { field: 'payload.verify', yaml: 'payload: {file: 4.22.0-x86_64.payload, verify: Full}' },
  { field: 'controlPlane.render', yaml: 'controlPlane: {render: Installer}' },
  ...['Kubernetes', 'OpenShift'].map((name) => ({
    field: 'controlPlane.distribution',
    yaml: `controlPlane: {distribution: ${name}}`,
  })),
  { field: 'controlPlane.kubernetesVersion', yaml: 'controlPlane: {kubernetesVersion: 1.34.4}' },
  ...[
    'etcd',
    'kube-apiserver',
    'kube-controller-manager',
    'kube-scheduler',
    'kube-proxy',
    'coredns',
    'pause',
  ].map((name) => ({
    field: `controlPlane.images.${name}`,
    yaml: `controlPlane: {images: {${name}: "registry.example.com/a${digest}"}}`,
  })),
  { field: 'controlPlane.imagesByDigest', yaml: 'controlPlane: {imagesByDigest: true}' },
  ...['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy', 'kubelet'].map(
    (name) => ({
      field: `controlPlane.extraArguments.${name}`,
      yaml: `controlPlane: {extraArguments: {${name}: {${name === 'etcd' ? 'quota-backend-bytes: ["4294967296"]' : 'v: ["5"]'}}}}`,
    }),
  ),
  { field: 'controlPlane.featureGates', yaml: 'controlPlane: {featureGates: {ContextualLogging: false}}' },
  { field: 'controlPlane.encryption', yaml: 'controlPlane: {encryption: aescbc}' },
  { field: 'controlPlane.certificates.signers', yaml: 'controlPlane: {certificates: {signers: 20y}}' },
  { field: 'controlPlane.certificates.leaves', yaml: 'controlPlane: {certificates: {leaves: 90d}}' },
  ...['RHCOS', 'FedoraCoreOS'].map((name) => ({
    field: 'aio.operatingSystem',
    yaml: `aio: {operatingSystem: ${name}}`,
  })),
  { field: 'aio.mirror', yaml: 'aio: {mirror: "https://files.example.com/mirror"}' },
  { field: 'aio.files[].path', yaml: file(`sha256: "${sha}"`) },
  { field: 'aio.files[].url', yaml: file(`sha256: "${sha}"`) },
  { field: 'aio.files[].sha256', yaml: file(`sha256: "${sha}"`) },
  { field: 'aio.files[].sha512', yaml: file(`sha512: "${sha}${sha}"`) },
  { field: 'aio.files[].mode', yaml: file(`sha256: "${sha}", mode: "0600"`) },
  { field: 'aio.files[].compression', yaml: file(`sha256: "${sha}", compression: gzip`) },
  { field: 'aio.files[].unpackInto', yaml: file(`sha256: "${sha}", unpackInto: /opt/cni/bin`) },
  {
    field: 'aio.files[].stripComponents',
    yaml: file(`sha256: "${sha}", unpackInto: /opt/cni/bin, stripComponents: 1`),
  },
  { field: 'certificates.validity', yaml: 'certificates: {validity: 60d}' },
  { field: 'certificates.backdate', yaml: 'certificates: {backdate: 2h}' },
  { field: 'certificates.keyAlgorithm', yaml: 'certificates: {keyAlgorithm: ECDSA-P256}' },
  ...['certificate', 'key'].map((name) => ({
    field: `certificates.authority.${name}`,
    yaml: 'certificates: {authority: {certificate: authority.pem, key: authority.key}}',
  })),
  {
    field: 'certificates.authority.signs',
    yaml: 'certificates: {authority: {certificate: authority.pem, key: authority.key, signs: [root-ca]}}',
  },
  ...['total', 'criticalPods'].map((name) => ({
    field: `kubelet.gracefulShutdown.${name}`,
    yaml: 'kubelet: {gracefulShutdown: {total: 5m, criticalPods: 1m}}',
  })),
  { field: 'dns.local', yaml: 'nodeIP: 192.168.126.7\ndns: {local: true}' },
  { field: 'dns.apiCheck', yaml: 'dns: {apiCheck: None}' },
  { field: 'ntpSources', yaml: 'ntpSources: [ntp.example.com]' },
  { field: 'kernelArguments', yaml: 'kernelArguments: [console=ttyS0]' },
  ...[
    'deviceName: /dev/disk/by-path/pci-0000:00:1f.2-ata-1',
    'hctl: "0:2:0:0"',
    'model: MZ7LH480',
    'vendor: ATA',
    'serialNumber: S45PNA0M512345',
    'minSizeGigabytes: 480',
    'wwn: "0x5002538e000000aa"',
    'wwnWithExtension: "0x600508b1001c5e6fabcdef0123456789"',
    'wwnVendorExtension: "0xabcdef0123456789"',
    'rotational: false',
  ].map((hint) => ({
    field: `rootDeviceHints.${hint.replace(/:.*/, '')}`,
    yaml: `rootDeviceHints: {${hint}}`,
  })),
  { field: 'coreosInstaller.savePartitionLabels', yaml: 'coreosInstaller: {savePartitionLabels: ["data*"]}' },
  { field: 'coreosInstaller.savePartitionIndexes', yaml: 'coreosInstaller: {savePartitionIndexes: ["5-"]}' },
  {
    field: 'coreosInstaller.appendKernelArguments',
    yaml: 'coreosInstaller: {appendKernelArguments: [console=ttyS0]}',
  },
  {
    field: 'coreosInstaller.deleteKernelArguments',
    yaml: 'coreosInstaller: {deleteKernelArguments: [console=tty0]}',
  },
  { field: 'diskEncryption.tpm2', yaml: 'diskEncryption: {tpm2: true}' },
  ...['url', 'thumbprint'].map((name) => ({
    field: `diskEncryption.tang[].${name}`,
    yaml: `diskEncryption: {tang: [{url: "http://tang.example.com", thumbprint: ${'a'.repeat(43)}}]}`,
  })),
  { field: 'diskEncryption.threshold', yaml: 'diskEncryption: {tpm2: true, threshold: 2}' },
  { field: 'reinstall', yaml: 'reinstall: Always' },
  { field: 'report.url', yaml: 'report: {url: "https://boot.example.com:8443"}' },
  {
    field: 'report.caBundle',
    yaml: `report:\n  url: https://boot.example.com:8443\n  caBundle: |\n    ${certificate.replaceAll('\n', '\n  ')}`,
  },
  { field: 'extraManifests', yaml: 'extraManifests: [extra]' },
  { field: 'manifestChecks', yaml: 'manifestChecks: warn' },
  { field: 'postInstallTimeout', yaml: 'postInstallTimeout: 2h' },
  {
    field: 'state.recipients',
    yaml: 'state: {recipients: [age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p]}',
  },
  { field: 'state.encryptOutputs', yaml: 'state: {encryptOutputs: true}' },
];
