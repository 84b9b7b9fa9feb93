import { readdirSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { defaultKubernetesVersion } from '../../src/release/kubernetes.js';

const example = 'an example of the form';
const history = 'tells of one release what stays true of it, whatever is offered';
const upstream = 'a boundary in upstream programs, which no row of ours decides';

/** Release numbers allowed outside src/release, by file and a part of the line, with the reason. */
const allowed: readonly (readonly [file: string, part: string, why: string])[] = [
  ['src/config/schema/sno-config-schema.ts', 'Version of the payload, such as', example],
  ['src/config/schema/sno-config-schema.ts', 'such as `4.18`', example],
  ['src/config/rules/sno/pull-spec.ts', 'is not a version such as', example],
  ['src/formats/yaml/yaml-tree.ts', '`4.20`', 'a number that loses its nought, not a release'],
  ['src/assets/config/live-image.ts', '(such as `4.18`)', example],
  ['src/config/schema/network-device-schema.ts', 'Forward error correction. Needs NetworkManager', upstream],
  ['src/fleet/expand-document.ts', '`4.20`', 'a number that loses its nought, not a release'],
  ['src/formats/image-reference.ts', 'ocp-release:4.21.0-x86_64', example],
  ['src/config/reading/release.ts', 'such as `4.22.0', example],
  ['docs/coming-from.md', 'scos-release:4.22.0-okd-scos.7', example],
  ['src/media/machine-of.ts', 'such as `4.18`', example],
  ['src/media/image-mismatches.ts', 'Such as `4.18`', example],
  ['src/media/pxe-sources.ts', 'such as `4.18`', example],
  ['src/media/pxe-sources.ts', 'plain CoreOS since 4.19', upstream],
  ['docs/media.md', 'up to 4.18', upstream],
  ['src/run/target.ts', 'Such as `4.18`', example],
  ['src/core/problem-codes/aio.ts', 'is not a version such as 1.36.3', example],
  ['src/core/problem-codes/config-sno.ts', 'ocp-release:4.21.0-x86_64', example],
  ['src/analysis/faults/snapshot-faults.ts', 'older than 4.8', upstream],
  ['src/control-plane/etcd/upstream.ts', 'kubeadm 1.30', upstream],
  ['src/manifests/checks/unserved-kind.ts', 'Kubernetes 1.25 removed it', upstream],
  ['src/ignition/foreign/unread-files.ts', 'has nmstate-configuration.service; since 4.16', upstream],
  [
    'src/ignition/foreign/unread-files.ts',
    'nmstate-configuration.service came with OpenShift 4.16',
    upstream,
  ],
  ['src/manifests/checks/kubelet-configuration.ts', 'if later than 4.14', upstream],
  ['src/manifests/checks/kubelet-configuration.ts', 'fields that came after 1.27', upstream],
  ['docs/manifests.md', 'Measured against kube-apiserver 1.36', history],
  ['docs/control-plane.md', 'kube-scheduler of 4.20', history],
  ['docs/control-plane.md', 'kube-apiserver of 4.22, start from', history],
  ['docs/control-plane.md', 'operators of 4.20, have read', history],
  ['docs/inspect.md', 'ocp-release:4.21.0-x86_64', example],
  ['docs/tutorial.md', 'ocp-release:4.21.0-x86_64', example],
  ['docs/how-to/disconnected.md', 'ocp-release:4.21.0-x86_64', example],
  ['docs/how-to/disconnected.md', 'release-images:4.21.0-x86_64', example],
  ['docs/how-to/disconnected.md', "releaseVersion: '4.21'", example],
  ['docs/how-to/telco-site.md', "releaseVersion: '4.21'", example],
  ['docs/how-to/pxe.md', 'ocp-release:4.21.0-x86_64', example],
  ['docs/wait-for.md', 'install complete, 4.18.3 (north-1', example],
  ['docs/lab.md', 'npm run lab -- --release 4.18', example],
  ['docs/lab.md', '`selinux-warning-controller` before 4.19', history],
  ['docs/boot-flow.md', '`cluster-config-api`, since 4.15', history],
  ['docs/boot-flow.md', '`cluster-authentication-operator`, since 4.19', history],
  ['docs/boot-flow.md', '`cluster-node-tuning-operator`, since 4.15', history],
  ['docs/boot-flow.md', 'API servers before 1.32 report only the name', upstream],
  ['docs/aio.md', 'kubernetesVersion: 1.34.2', example],
  ['docs/aio.md', 'https://dl.k8s.io/v1.34.2/bin', example],
  ['docs/aio.md', `https://dl.k8s.io/v${defaultKubernetesVersion}/bin`, 'a command to copy, of the default'],
  ['docs/how-to/aio.md', `v${defaultKubernetesVersion}`, 'what a command prints of the default'],
  ['docs/aio.md', 'before Kubernetes 1.32 nothing', upstream],
  ['docs/aio.md', 'iptables before Kubernetes 1.31', upstream],
  ['docs/commands.md', 'ocp/release:4.21.9-x86_64', example],
  ['docs/fleet-rollout.md', 'ocp/release:4.21.9-x86_64', example],
  ['docs/fleet-rollout.md', 'REPOSITORY:4.21.9-x86_64', example],
  ['src/cli/fleet/upgrade/upgrade-command.ts', 'ocp/release:4.21.9-x86_64', example],
  ['src/core/problem-codes/fleet/upgrade.ts', 'ocp-release:4.20.8-x86_64', example],
];

/** Matches OpenShift 4.6 and later and Kubernetes 1.20 and later, but no RFC sections, object identifiers or benchmark rows. */
const release = /(?<![\d.§–])(?:4\.(?:[6-9]|[1-9]\d)|1\.[2-9]\d)(?!\d)/;

/** Files generated from src/release. */
const generated =
  /\.generated\.ts$|^docs\/(?:releases|faults|problems|config-rules|graph|schema-sources)\.md$/;

const files = ['src', 'docs']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => /\.(?:ts|md)$/.test(path) && !generated.test(path))
  .filter((path) => !/^(?:src\/release|docs\/decisions)\//.test(path))
  .toSorted();

/** The lines of a file with a release number that is not generated. */
function namedIn(file: string): readonly { readonly file: string; readonly line: string }[] {
  return manual(readFileSync(file, 'utf8'))
    .split('\n')
    .filter((line) => release.test(line) && !line.includes('Source'))
    .map((line) => ({ file, line: line.trim() }));
}

/** The text without the parts that `npm run docs` generates. */
function manual(text: string): string {
  return text
    .replace(/<!-- generated: .*?<!-- end of generated -->/gs, '')
    .replace(/<!-- release: .*?<!-- \. -->/g, '');
}

const named = files.flatMap(namedIn);

test('releases are named by src/release, or for a reason', () => {
  const unexplained = named.filter(
    ({ file, line }) => !allowed.some(([where, part]) => where === file && line.includes(part)),
  );

  expect(unexplained).toEqual([]);
});

test('no reason outlives its line', () => {
  const stale = allowed.filter(
    ([where, part]) => !named.some(({ file, line }) => where === file && line.includes(part)),
  );

  expect(stale).toEqual([]);
});

test.each([
  ['needs 4.17 to 4.23', true],
  ['Kubernetes v1.36', true],
  ['quay.io/ocp-release:4.21.0-x86_64', true],
  ['<!-- release: all -->4.17<!-- . --> and later', false],
  ['RFC 5280 §4.1.2.5', false],
  ['| 4.2.10 | 1.1.20', false],
  ["'1.2.840.10045.4.3.2'", false],
])('%j names a release: %j', (text, want) => {
  expect(release.test(manual(text))).toBe(want);
});
