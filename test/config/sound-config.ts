/** Replaces a text, or the first match of an expression. It must match. */
export type Edit = readonly [from: string | RegExp, to: string];

/** A valid install-config.yaml with throwaway pull secret and key. */
export const soundInstallConfig = `apiVersion: v1
baseDomain: example.com
metadata:
  name: sno
controlPlane:
  name: master
  replicas: 1
compute:
- name: worker
  replicas: 0
networking:
  networkType: OVNKubernetes
  machineNetwork:
  - cidr: 192.168.126.0/24
  clusterNetwork:
  - cidr: 10.128.0.0/14
    hostPrefix: 23
  serviceNetwork:
  - 172.30.0.0/16
fips: false
platform:
  none: {}
bootstrapInPlace:
  installationDisk: /dev/disk/by-id/wwn-0x5000c500a0b1c2d3
pullSecret: '{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}'
sshKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5ialTiFcdXwCKUP4Zr7gO/zTKL/pikuBWWXvRMftkQ throwaway
`;

/** Applies each edit once; throws if one does not match. */
export function edited(text: string, edits: readonly Edit[]): string {
  return edits.reduce((before, [from, to]) => {
    const after = typeof from === 'string' ? before.replace(from, () => to) : before.replace(from, to);
    if (after === before) throw new Error(`the edit of ${String(from)} changes nothing`);
    return after;
  }, text);
}

/** A valid sno-config.yaml for the config above. */
export const soundSnoConfig = `apiVersion: sno-install/v1alpha1
kind: SingleNodeConfig
hostname: node-1
nodeIP: 192.168.126.10
releaseImage: quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64
releaseVersion: 4.21
imageReferences: image-references
controlPlane:
  render: Release
certificates:
  validity: 30d
  backdate: 1h
  keyAlgorithm: RSA-2048
kubelet:
  gracefulShutdown:
    total: 60s
    criticalPods: 10s
dns:
  local: true
ntpSources:
- time.example.com
- 192.168.126.1
kernelArguments:
- console=ttyS0
reinstall: SameCluster
extraManifests:
- extra
postInstallTimeout: 90m
state:
  recipients:
    - age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p
`;
