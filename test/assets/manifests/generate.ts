import { manifestNodeFiles, manifests } from '../../../src/assets/manifests/manifests.js';
import { problemsOf, type Result } from '../../../src/core/result.js';
import type { Asset } from '../../../src/graph/asset.js';
import { resolve } from '../../../src/graph/engine.js';
import type { Manifest } from '../../../src/kube/manifest.js';
import { testContext, type TestInputs } from '../../support/context.js';
import { showProblem } from '../../support/show-problem.js';
import { throwawayCaPem } from '../../support/throwaway-certificates.js';

/** install-config.yaml of a single node with `more` appended. */
export function installConfigText(more = ''): string {
  return `apiVersion: v1
metadata:
  name: edge
baseDomain: example.com
compute:
  - name: worker
    replicas: 0
controlPlane:
  name: master
  replicas: 1
platform:
  none: {}
bootstrapInPlace:
  installationDisk: /dev/disk/by-id/wwn-0x5000c500a1b2c3d4
pullSecret: '{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}'
${more}`;
}

function snoConfigText(more = ''): string {
  return `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n${more}`;
}

/** A config that enables every manifest and causes no problem. */
export const everything: Given = {
  install: `sshKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPmjS1O7wJXzLw6e0n0r9mDL8m1m3pYyq0xV5H6mJmEx throwaway
fips: false
cpuPartitioningMode: AllNodes
featureSet: TechPreviewNoUpgrade
proxy:
  httpProxy: http://user:throwaway@proxy.example.com:3128
  noProxy: .example.com
networking:
  machineNetwork: [{cidr: 192.168.126.0/24}, {cidr: "fd00:126::/64"}]
  clusterNetwork: [{cidr: 10.128.0.0/14, hostPrefix: 23}, {cidr: "fd01::/48", hostPrefix: 64}]
  serviceNetwork: [172.30.0.0/16, "fd02::/112"]
  ovnKubernetesConfig: {ipv4: {internalJoinSubnet: 100.70.0.0/16}}
capabilities: {baselineCapabilitySet: vCurrent, additionalEnabledCapabilities: [Ingress]}
imageDigestSources:
  - source: quay.io/openshift-release-dev/ocp-release
    mirrors: [mirror.example.com/release]
additionalTrustBundle: |
${throwawayCaPem.replaceAll(/^(?=.)/gm, '  ')}`,
  sno: `hostname: edge-1.example.com
nodeIP: 192.168.126.5
releaseImage: quay.io/openshift-release-dev/ocp-release:4.22.0-x86_64
ntpSources: [ntp1.example.com]
kernelArguments: ["console=ttyS0,115200"]
dns: {local: true}
nodeLabels: {example.com/site: paris}
diskEncryption: {tpm2: true}
kubelet: {gracefulShutdown: {total: 5m, criticalPods: 60s}}
`,
};

/** A fixed bcrypt hash of cost 10 for the state, so that outputs do not depend on a random salt. It matches no password in use. */
const throwawayHash = '$2a$10$abcdefghijklmnopqrstuuZ1dFQWpB6uDWVUWFz1PpmFnAVp1MSKa';

export interface Given extends TestInputs {
  /** Appended to install-config.yaml. */
  readonly install?: string;
  /** Fields of sno-config.yaml; without them there is no such file. */
  readonly sno?: string;
}

export async function made<T>(asset: Asset<T>, { install, sno, ...inputs }: Given = {}): Promise<Result<T>> {
  const files = {
    'install-config.yaml': installConfigText(install),
    ...(sno !== undefined && { 'sno-config.yaml': snoConfigText(sno) }),
    ...inputs.files,
  };
  const once = { 'bcrypt/kubeadmin-password': throwawayHash };
  const result = await resolve([asset], testContext({ ...inputs, files, once }));
  return result.ok ? { ...result, value: result.value.valueOf(asset) } : result;
}

/** The texts of all manifests by path. Throws if there are problems other than warnings. */
export async function textsOf(given: Given = {}): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries((await allManifests(given)).map(({ path, text }) => [path, text]));
}

export async function allManifests(given: Given = {}): Promise<readonly Manifest[]> {
  const result = await made(manifests, given);
  if (!result.ok) throw new Error(problemsOf(result).map(showProblem).join('\n'));
  return result.value;
}

/** Warnings and errors of all manifests, one per line. */
export async function problemsWith(given: Given = {}): Promise<readonly string[]> {
  return problemsOf(await made(manifests, given)).map(showProblem);
}

export { manifestNodeFiles, manifests };

/** Networks of both families for install-config.yaml, IPv4 first. */
export const dualStack = `networking:
  machineNetwork:
    - cidr: 192.168.126.0/24
    - cidr: fd00:126::/64
  clusterNetwork:
    - cidr: 10.128.0.0/14
      hostPrefix: 23
    - cidr: fd01::/48
      hostPrefix: 64
  serviceNetwork:
    - 172.30.0.0/16
    - fd02::/112
`;
