import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { problemsOf } from '../../src/core/result.js';
import { resolve } from '../../src/graph/engine.js';
import { targetAssets } from '../../src/run/target-assets.js';
import type { TargetName } from '../../src/run/targets.js';
import { testContext } from '../support/context.js';
import { edited, soundInstallConfig, soundSnoConfig, type Edit } from './sound-config.js';

/** A fault of the inputs that is independent of all others. */
interface Fault {
  readonly name: string;
  readonly install?: readonly Edit[];
  readonly sno?: readonly Edit[];
  readonly files?: Readonly<Record<string, string>>;
  /** Paths of files that an earlier run wrote. */
  readonly written?: readonly string[];
  /** A code that the fault reports. */
  readonly code: string;
}

const clusterObject = (kind: string, rest: string): string =>
  `apiVersion: config.openshift.io/v1\nkind: ${kind}\nmetadata: { name: cluster }\n${rest}`;

/** Faults in edits of generated files, independent of the config. */
const brokenEdits: readonly Fault[] = [
  edit('no YAML', 'manifests/cluster-dns-02-config.yml', 'a: "\n', 'manifest/syntax'),
  edit(
    'another object',
    'manifests/cluster-scheduler-02-config.yml',
    clusterObject('DNS', ''),
    'manifest/needed-object-changed',
  ),
  edit(
    'networks that are none',
    'manifests/cluster-network-02-config.yml',
    clusterObject('Network', 'spec: { clusterNetwork: 10.0.0.0/8, serviceNetwork: [172.30.0.0/16] }\n'),
    'manifest/edited-value',
  ),
  edit(
    'a proxy of two minds',
    'manifests/cluster-proxy-01-config.yaml',
    clusterObject('Proxy', 'spec: { httpProxy: http://a:1 }\nstatus: { httpProxy: http://b:1 }\n'),
    'manifest/edited-value',
  ),
  edit(
    'three nodes',
    'manifests/cluster-config.yaml',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: cluster-config-v1, namespace: kube-system }\n' +
      "data: { install-config: 'controlPlane: { replicas: 3 }' }\n",
    'manifest/edited-value',
  ),
  edit('a file that is gone', 'openshift/99_feature-gate.yaml', undefined, 'manifest/deleted-needed'),
];

function edit(name: string, path: string, text: string | undefined, code: string): Fault {
  return { name, written: [path], ...(text !== undefined && { files: { [path]: text } }), code };
}

const faults: readonly Fault[] = [
  { name: 'cluster name', install: [['name: sno', 'name: Sno']], code: 'config/cluster-name' },
  { name: 'base domain', install: [['example.com', 'example_com']], code: 'config/base-domain' },
  {
    name: 'no disk',
    install: [[/bootstrapInPlace:\n.*\n/, '']],
    code: 'config/bootstrap-in-place',
  },
  { name: 'pull secret', install: [[/pullSecret: .*/, "pullSecret: '{}'"]], code: 'config/pull-secret' },
  { name: 'SSH key', install: [[/sshKey: .*/, 'sshKey: ssh-ed25519 AAAA']], code: 'config/ssh-key' },
  {
    name: 'machine network',
    install: [['192.168.126.0/24', '192.168.126.1/24']],
    code: 'config/network-address',
  },
  { name: 'unknown field', install: [['fips: false', 'fibs: false']], code: 'config/unknown-field' },
  { name: 'platform', install: [['none: {}', 'aws: {}']], code: 'config/platform' },
  {
    name: 'capabilities',
    install: [['platform:', 'capabilities: { baselineCapabilitySet: None }\nplatform:']],
    code: 'config/capabilities',
  },
  {
    name: 'release of another architecture',
    sno: [['-x86_64', '-aarch64']],
    code: 'config/release-architecture',
  },
  { name: 'hostname', sno: [['hostname: node-1', 'hostname: Node']], code: 'config/hostname' },
  {
    name: 'an authority that is none',
    sno: [
      [
        'keyAlgorithm: RSA-2048',
        'keyAlgorithm: RSA-2048\n  authority: { certificate: chain.pem, key: gone.key }',
      ],
    ],
    files: { 'chain.pem': 'a certificate, one day\n' },
    code: 'config/authority',
  },
  { name: 'kernel argument', sno: [['console=ttyS0', 'a b']], code: 'config/kernel-argument' },
  { name: 'no image references', sno: [['image-references', 'nowhere']], code: 'config/image-references' },
  { name: 'no extra manifests', sno: [['- extra', '- gone']], code: 'manifest/extra-missing' },
  {
    name: 'a manifest that is no YAML',
    files: { 'manifests/mine.yaml': 'a: "\n' },
    code: 'manifest/syntax',
  },
  {
    name: 'a manifest without a namespace',
    files: {
      'openshift/mine.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: { name: a, namespace: nowhere }\n',
    },
    code: 'manifest/namespace-missing',
  },
  {
    name: 'the key of tokens',
    files: { 'tls/bound-service-account-signing-key.key': 'x' },
    code: 'tls/bound-key',
  },
  ...brokenEdits,
  { name: 'the password', files: { 'tls/kubeadmin-password.hash': 'x' }, code: 'tls/kubeadmin-hash' },
];

/** Faults of an all-in-one machine. */
const aioFaults: readonly Fault[] = [
  ...faults.filter(
    ({ code }) => !/^(manifest|tls)\//.test(code) && !['config/bootstrap-in-place'].includes(code),
  ),
  {
    name: 'an unknown flag',
    sno: [['render: Release', 'render: Release\n  extraArguments: { etcd: { nonsense: [a] } }']],
    code: 'control-plane/unknown-flag',
  },
];

const sound = {
  'pull.json': '{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}\n',
  'core.pub': 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5ialTiFcdXwCKUP4Zr7gO/zTKL/pikuBWWXvRMftkQ throwaway\n',
  'image-references': 'spec: { tags: [{ name: etcd, from: { name: quay.io/a/b:c } }] }\n',
  // Keeps the folder when a fault deletes other files in it.
  'openshift/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b, namespace: default }\n',
  'extra/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: default }\n',
};

/** Faults of files that sno-config.yaml refers to. */
const referencedFaults: readonly Fault[] = [
  ...faults.filter(({ name }) => !['pull secret', 'SSH key'].includes(name)),
  {
    name: 'a pull secret without registries',
    files: { 'pull.json': '{"auths":{}}' },
    code: 'config/pull-secret',
  },
  {
    name: 'a key that is cut off',
    files: { 'core.pub': '# mine\nssh-ed25519 AAAA' },
    code: 'config/ssh-key',
  },
  {
    name: 'a pull secret at both places',
    install: [['platform:', "pullSecret: '{}'\nplatform:"]],
    code: 'config/given-twice',
  },
];

/** Problems of inputs that `create manifests` does not read. */
const notOfManifests = /^(?:tls\/|config\/(?:bootstrap-in-place|image-references)$)/;

/** Moves values from install-config.yaml to files that sno-config.yaml names. */
const referencing: Fault = {
  name: 'references',
  install: [
    [/pullSecret: .*\n/, ''],
    [/sshKey: .*\n/, ''],
  ],
  sno: [['releaseVersion', 'pullSecretFile: pull.json\nsshKeyFile: core.pub\nreleaseVersion']],
  code: '',
};

/** The problems that a run reports before it generates values. Line numbers are left out because edits move lines. */
async function found(target: TargetName, given: readonly Fault[]): Promise<readonly string[]> {
  const files = {
    ...sound,
    'install-config.yaml': edited(
      soundInstallConfig,
      given.flatMap(({ install = [] }) => install),
    ),
    'sno-config.yaml': edited(
      soundSnoConfig,
      given.flatMap(({ sno = [] }) => sno),
    ),
    ...Object.fromEntries(given.flatMap((fault) => Object.entries(fault.files ?? {}))),
  };
  const written = Object.fromEntries(
    given.flatMap((fault) => (fault.written ?? []).map((path) => [path, 'what an earlier run wrote'])),
  );
  const { configs, checks } = targetAssets[target];
  const roots = [...configs, ...checks];
  const result = await resolve(roots, testContext({ files, written }));
  return problemsOf(result).map(
    ({ code, at, message }) => `${code} ${at?.file ?? ''} ${at?.path ?? ''}: ${message}`,
  );
}

describe.each([
  { name: 'single-node-ignition-config', target: 'single-node-ignition-config', always: [], faults },
  { name: 'aio-ignition', target: 'aio-ignition', always: [], faults: aioFaults },
  {
    name: 'manifests, with references',
    target: 'manifests',
    always: [referencing],
    faults: referencedFaults.filter(({ code }) => !notOfManifests.test(code)),
  },
] as const)('$name', ({ target, always, faults }) => {
  test.each(faults)('$name is found', async (fault) => {
    expect((await found(target, [...always, fault])).join('\n')).toContain(fault.code);
  });

  test('the problems of several faults are those of each', async () => {
    const alone = new Map(
      await Promise.all(
        faults.map(async (fault) => [fault, await found(target, [...always, fault])] as const),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.subarray([...faults]), async (given) => {
        const want =
          given.length === 0 ? await found(target, always) : given.flatMap((each) => alone.get(each) ?? []);
        expect([...(await found(target, [...always, ...given]))].sort()).toEqual([...new Set(want)].sort());
      }),
      { numRuns: 100 },
    );
  });
});
