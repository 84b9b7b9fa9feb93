import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { payloadImages, payloadTools, releaseOf, type PayloadTool } from './payload.js';

/** The node's time, within the validity of its certificates. */
export const nodeClock = 1_767_323_045;

export const releaseImage = 'example.com/ocp/release:test';
export const releaseDigest = 'example.com/ocp/release@sha256:bbbb';

export interface ImageTag {
  readonly name: string;
  readonly from: { readonly kind: 'DockerImage'; readonly name: string };
}

/** Files below /opt/openshift that Ignition writes and bootkube reads. Each contains its own path. */
export const installerFiles = [
  'auth/kubeconfig-kubelet',
  'auth/kubeconfig-loopback',
  'manifests/cluster-config.yaml',
  'openshift/99_feature-gate.yaml',
  'tls/journal-gatewayd.crt',
  'tls/journal-gatewayd.key',
  'tls/machine-config-server.crt',
  'tls/machine-config-server.key',
];

/** The env file of a complete node. */
export const nodeVariables: Readonly<Record<string, string>> = {
  SNO_CLUSTER_NAME: 'sno',
  SNO_CLUSTER_DOMAIN: 'sno.example.com',
  SNO_API_HOST: 'api.sno.example.com',
  SNO_API_INT_HOST: 'api-int.sno.example.com',
  SNO_RELEASE_IMAGE: releaseImage,
  SNO_INSTALLATION_DISK: '/dev/disk/by-id/test',
  SNO_MACHINE_NETWORKS: '192.168.126.0/24',
  SNO_HOSTNAME: '',
  SNO_NODE_IP: '',
  SNO_IP_FAMILY: '4',
  SNO_DUAL_STACK: '0',
  SNO_RENDER: 'Release',
  SNO_KEY_ALGORITHM: 'ECDSA-P256',
  SNO_CLUSTER_PROFILE: 'self-managed-high-availability',
  SNO_NOT_BEFORE: String(nodeClock - 3600),
  SNO_NOT_AFTER: String(nodeClock + 86_400),
  SNO_OS_IMAGE_STREAM: 'rhel-9',
  SNO_FIPS: '0',
  SNO_INVOKER: 'user',
  SNO_EXPECTED_ARCH: 'amd64',
};

export function envText(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');
}

/** The stubs' answers on a complete node, by path below ${STUB}. */
export function stubFiles(minor: number): Readonly<Record<string, string>> {
  const dns = '192.168.126.10 STREAM\n192.168.126.10 DGRAM\n';
  const names = ['api', 'api-int', 'console-openshift-console.apps'];
  return {
    calls: '',
    haste: '1',
    uptime: '100 0\n',
    'answers/clock': `${nodeClock}\n`,
    'answers/architecture': 'amd64\n',
    'answers/inspect': JSON.stringify([
      { Digest: 'sha256:bbbb', RepoDigests: ['example.com/ocp/release@sha256:aaaa', releaseDigest] },
    ]),
    'answers/hostname': 'node-1\n',
    'answers/uname': 'x86_64\n',
    'answers/meminfo':
      'MemTotal:       33554432 kB\nMemFree:         1000000 kB\nMemAvailable:   31000000 kB\n',
    'answers/df': '1K-blocks     Avail\n16777216 16000000\n',
    'answers/lsblk': JSON.stringify({
      blockdevices: [{ name: '/dev/vda', type: 'disk', size: 480_103_981_056, ro: false, mountpoint: null }],
    }),
    'answers/journalctl': 'line one\nline two\nline three\n',
    'answers/ip-192.168.126.0/24':
      '2: eth0    inet 192.168.126.10/24 brd 192.168.126.255 scope global eth0\n',
    ...Object.fromEntries(names.map((name) => [`answers/getent-ahosts-${name}.sno.example.com`, dns])),
    'images/release': '',
    ...payloadFiles(minor),
    ...Object.fromEntries(payloadTools(minor).flatMap((tool) => Object.entries(toolFiles(tool)))),
  };
}

function payloadFiles(minor: number): Readonly<Record<string, string>> {
  const tags = payloadImages(minor).map((name) => ({
    ...imageTag(name),
    ...(name === 'hyperkube' && {
      annotations: {
        'io.openshift.build.versions': `kubectl=1.0.0,kubernetes=1.${releaseOf(minor).kubernetesMinor}.6`,
      },
    }),
  }));
  const version = `4.${minor}.3`;
  return {
    'payload/image-references': JSON.stringify({
      kind: 'ImageStream',
      metadata: { name: version },
      spec: { tags },
    }),
    'payload/release-metadata': JSON.stringify({ kind: 'cincinnati-metadata-v0', version }),
  };
}

/** An image's entry in the payload's image list. */
export function imageTag(name: string): ImageTag {
  return { name, from: { kind: 'DockerImage', name: `example.com/ocp/${name}:test` } };
}

/** Changes the image list of a payload. */
export function changePayload(
  stub: string,
  change: (tags: readonly ImageTag[]) => readonly ImageTag[],
): void {
  const path = join(stub, 'payload/image-references');
  const stream = JSON.parse(readFileSync(path, 'utf8')) as { spec: { tags: readonly ImageTag[] } };
  writeFileSync(path, JSON.stringify({ ...stream, spec: { tags: change(stream.spec.tags) } }));
}

function toolFiles({ name, flags, style, output }: PayloadTool): Readonly<Record<string, string>> {
  const dash = style === 'go' ? '-' : '--';
  const lines = flags.map((flag) =>
    style === 'go' ? `  -${flag} string` : `      --${flag} string   what it is for`,
  );
  const entries = Object.entries(output).map(([path, text]) => [`tools/${name}/output/${path}`, text]);
  return {
    [`tools/${name}/help`]: `Usage of ${name}:\n${lines.join('\n')}\n  -h, ${dash}help   help\n`,
    [`tools/${name}/help-status`]: style === 'go' ? '2' : '0',
    [`tools/${name}/flags`]: flags.map((flag) => `--${flag}\n`).join(''),
    ...(Object.fromEntries(entries) as Record<string, string>),
  };
}
