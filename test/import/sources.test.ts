import { describe, expect, it, test } from 'vitest';

import type { Result } from '../../src/core/result.js';
import { problemsOf } from '../../src/core/result.js';
import type { ImportedSite } from '../../src/import/imported-site.js';
import { agentFiles, clusterInstance, imported, siteOf, textOf, problemLine } from './files.js';

/** Errors and warnings of a source, except those about fields without an equivalent. */
function saidOf(made: Result<ImportedSite>): readonly string[] {
  const problems = made.ok ? made.value.problems : problemsOf(made);
  return problems.filter(({ code }) => code !== 'import/no-place').map(problemLine);
}

const alone = [
  'site1.yaml:11:5 import/no-pull-secret: pull secret not found in the input files',
  'site1.yaml:28:7 import/missing: ConfigMap with manifests not found in the input files; its manifests are not imported',
  'site1.yaml:9:27 import/missing: ClusterImageSet not found in the input files; the default release of sno-install is used',
];

interface Edit {
  readonly name: string;
  readonly from: string | RegExp;
  readonly to: string;
  readonly want: readonly string[];
}

const edits: readonly Edit[] = [
  { name: 'as it is', from: '', to: '', want: [] },
  {
    name: 'of another topology',
    from: 'networkType: OVNKubernetes\n',
    to: 'clusterType: HighlyAvailable\n',
    want: ['site1.yaml:13:16 import/not-single-node: clusterType is not SNO'],
  },
  {
    name: 'with a second node',
    from: '  nodes:\n',
    to: '  nodes:\n    - hostName: node0\n',
    want: ['site1.yaml:37:7 import/not-single-node: this cluster has 2 nodes'],
  },
  {
    name: 'with a worker',
    from: 'role: master',
    to: 'role: worker',
    want: ['site1.yaml:36:7 import/not-single-node: the role of the node is not master'],
  },
  {
    name: 'with overrides that are no JSON',
    from: '"baselineCapabilitySet": "None",',
    to: '"baselineCapabilitySet": "None" {',
    want: ['site1.yaml:20:27 import/malformed: installConfigOverrides is not a JSON object'],
  },
  {
    name: 'with an Ignition config that is a list',
    from: /ignitionConfigOverride: \|(?:\n {8,}.*)+/,
    to: 'ignitionConfigOverride: "[]"',
    want: ['site1.yaml:46:31 import/malformed: ignitionConfigOverride is not a JSON object'],
  },
  {
    name: 'with arguments that are no list',
    from: /installerArgs: .*/,
    to: 'installerArgs: "{}"',
    want: ['site1.yaml:45:22 import/malformed: installerArgs is not a JSON list'],
  },
];

describe('a single ClusterInstance', () => {
  test.each(edits)('$name', ({ from, to, want }) => {
    const found = saidOf(imported('cluster-instance', { 'site1.yaml': clusterInstance.replace(from, to) }));
    expect(found.filter((each) => !alone.includes(each))).toEqual(want);
    expect(found.length).toBe(want.length + alone.length);
  });

  it('keeps the hints of the disk and the arguments of coreos-installer', () => {
    const text = clusterInstance
      .replace(
        'deviceName: /dev/disk/by-path/pci-0000:01:00.0-nvme-1',
        'serialNumber: "0123"\n        rotational: false\n        model: ""',
      )
      .replace(
        /installerArgs: .*/,
        `installerArgs: '["--save-partlabel", "data*,logs", "--save-partindex=5-", "--delete-karg", "quiet"]'`,
      );
    const site = siteOf('cluster-instance', { 'site1.yaml': text });
    const sno = textOf(site, 'sno-config.yaml');
    expect(sno).toContain('rootDeviceHints:\n  serialNumber: "0123"\n  rotational: false\n');
    expect(sno).toContain(
      'coreosInstaller:\n  savePartitionLabels:\n    - "data*"\n    - logs\n  savePartitionIndexes:\n    - "5-"\n  deleteKernelArguments:\n    - quiet\n',
    );
    expect(textOf(site, 'install-config.yaml')).not.toContain('bootstrapInPlace');
  });

  it('has the labels of the node that a kubelet can set, and names the others', () => {
    const text = clusterInstance.replace(
      '      bootMode: UEFI\n',
      `      bootMode: UEFI\n      nodeLabels:\n        example.com/site: paris\n        node-role.kubernetes.io/infra: ""\n`,
    );
    const site = siteOf('cluster-instance', { 'site1.yaml': text });
    expect(textOf(site, 'sno-config.yaml')).toContain('nodeLabels:\n  example.com/site: paris\n');
    expect(textOf(site, 'sno-config.yaml')).not.toContain('infra');
    expect(site.problems.filter(({ message }) => message.startsWith('nodeLabels')).map(problemLine)).toEqual([
      'site1.yaml:45:9 import/no-place: nodeLabels: a kubelet must not set the label node-role.kubernetes.io/infra of its own node; it is not imported',
    ]);
  });

  it.each([
    [
      'type: nbde\n    tang: [{ url: "http://a.example.com", thumbprint: t }]',
      'diskEncryption:\n  tang:\n    - url: "http://a.example.com"\n      thumbprint: t\n',
      [],
    ],
    ['type: tpm2', 'diskEncryption:\n  tpm2: true\n', []],
    ['type: none', undefined, []],
    [
      'type: tpm2\n    tpm2: { pcrList: "1,7" }',
      undefined,
      [
        'site1.yaml:36:5 import/no-place: diskEncryption is not imported: the disk of the site is not encrypted',
      ],
    ],
    [
      'type: other',
      undefined,
      [
        'site1.yaml:36:5 import/no-place: diskEncryption is not imported: the disk of the site is not encrypted',
      ],
    ],
  ])('with encryption of %s', (given, want, problems) => {
    const text = clusterInstance.replace('  nodes:\n', `  diskEncryption:\n    ${given}\n  nodes:\n`);
    const site = siteOf('cluster-instance', { 'site1.yaml': text });
    const sno = textOf(site, 'sno-config.yaml');
    if (want === undefined) expect(sno).not.toContain('diskEncryption');
    else expect(sno).toContain(want);
    expect(site.problems.filter(({ message }) => message.startsWith('diskEnc')).map(problemLine)).toEqual(
      problems,
    );
  });

  it('uses options for missing files', () => {
    const site = siteOf(
      'cluster-instance',
      { 'site1.yaml': clusterInstance },
      {
        releaseImage: 'registry.example.com/release:4.20.0',
        installationDisk: '/dev/disk/by-id/wwn-0x5000c500a1b2c3d4',
        pullSecret: { reference: 'env:PULL_SECRET' },
      },
    );
    expect(site.problems.filter(({ code }) => code !== 'import/no-place').map(problemLine)).toEqual([
      alone[1],
    ]);
    expect(textOf(site, 'sno-config.yaml')).toContain(
      'pullSecretFile: "env:PULL_SECRET"\nreleaseImage: "registry.example.com/release:4.20.0"\n',
    );
    expect(textOf(site, 'install-config.yaml')).toContain(
      'bootstrapInPlace:\n  installationDisk: /dev/disk/by-id/wwn-0x5000c500a1b2c3d4\n',
    );
    expect(site.files.map(({ path }) => path)).not.toContain('pull-secret.json');
  });
});

describe('references of a ClusterInstance', () => {
  const banner = { 'banner.yaml': 'kind: ConfigMap\nmetadata: {name: banner}\n', 'note.txt': 'kind: Note\n' };

  it('is found in objects of its namespace, and of none', () => {
    const objects = [
      {
        kind: 'ConfigMap',
        metadata: { name: 'extra-manifests', namespace: 'other' },
        data: { 'a.yaml': 'no' },
      },
      { kind: 'ConfigMap', metadata: { name: 'extra-manifests' }, data: banner },
      {
        kind: 'Secret',
        metadata: { name: 'pull-secret' },
        stringData: { '.dockerconfigjson': '{"auths":{}}' },
      },
      { kind: 'ClusterImageSet', metadata: { name: 'img-4.20' }, spec: { releaseImage: 'a/b:4.20.1' } },
    ];
    const list = JSON.stringify({ kind: 'List', items: objects });
    const site = siteOf('cluster-instance', { 'site1.yaml': clusterInstance, 'hub/all.json': list });

    expect(site.problems.filter(({ code }) => code !== 'import/no-place')).toEqual([]);
    expect(site.files.map(({ path }) => path)).toEqual([
      'install-config.yaml',
      'sno-config.yaml',
      'pull-secret.json',
      'openshift/99-master-ignition-override.yaml',
      'manifests/banner.yaml',
      'manifests/note.txt.yaml',
    ]);
    expect(textOf(site, 'manifests/banner.yaml')).toBe(banner['banner.yaml']);
    expect(textOf(site, 'pull-secret.json')).toBe('{"auths":{}}');
    expect(textOf(site, 'sno-config.yaml')).toContain('releaseImage: "a/b:4.20.1"');
  });

  it('is found in the files of which kustomize makes it', () => {
    const kustomization = `kind: Kustomization
namespace: site1
configMapGenerator:
  - {name: extra-manifests, files: [z.yaml=banner.yaml, banner.yaml]}
secretGenerator:
  - {name: pull-secret, files: [.dockerconfigjson=secrets/pull.json]}
`;
    const site = siteOf('cluster-instance', {
      'a/site1.yaml': clusterInstance,
      'a/kustomization.yaml': kustomization,
      'a/banner.yaml': banner['banner.yaml'],
      'a/secrets/pull.json': '{"auths":{}}',
    });
    expect(site.files.slice(-2).map(({ path, text }) => [path, text])).toEqual([
      ['manifests/z.yaml', banner['banner.yaml']],
      ['manifests/banner.yaml', banner['banner.yaml']],
    ]);
    expect(textOf(site, 'pull-secret.json')).toBe('{"auths":{}}');
  });
});

describe('a folder', () => {
  const second = clusterInstance.replaceAll('site1', 'site2');

  it('with several clusters gives the one that is named', () => {
    const files = { 'site1.yaml': `${clusterInstance}---\n${second}` };
    expect(saidOf(imported('cluster-instance', files))).toEqual([
      'site1.yaml:87:3 import/several: found 2 clusters, but a directory holds only one',
    ]);
    expect(siteOf('cluster-instance', files, { site: 'site2' }).name).toBe('site2');
    expect(saidOf(imported('cluster-instance', files, { site: 'site3' }))).toEqual([
      ' import/no-source: no cluster with this name found',
    ]);
  });

  it('with a file that cannot be read gives the rest', () => {
    const site = siteOf('cluster-instance', {
      'site1.yaml': clusterInstance,
      'broken.yaml': 'a: {{ b }\n  c',
    });
    expect(site.problems.map(problemLine)).toContain(
      'broken.yaml:2:3 import/not-read: this file is not valid YAML and is not imported',
    );
  });

  test.each(['agent-config', 'install-dir', 'cluster-instance'] as const)('without any %s', (kind) => {
    const codes = problemsOf(imported(kind, { 'a.yaml': 'a: 1\n' })).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['import/no-source']));
  });
});

describe('a SiteConfig', () => {
  const siteConfig = `apiVersion: ran.openshift.io/v1
kind: SiteConfig
metadata: {name: north}
spec:
  baseDomain: example.com
  sshPublicKey: ssh-ed25519 AAAA
  clusters:
    - clusterName: site7
      clusterType: sno
      serviceNetwork: [172.30.0.0/16]
      extraManifestPath: extra
      nodes: [{hostName: node7, cpuArchitecture: aarch64}]
    - clusterName: site8
      nodes: [{hostName: node8}]
`;

  it('is one site per cluster, with the common fields', () => {
    const files = { 'north.yaml': siteConfig, 'extra/a.yaml': 'a: 1\n' };
    const site = siteOf('cluster-instance', files, { site: 'site7' });
    expect(textOf(site, 'install-config.yaml')).toBe(`apiVersion: v1
metadata:
  name: site7
baseDomain: example.com
controlPlane:
  name: master
  replicas: 1
  architecture: arm64
compute:
  - name: worker
    replicas: 0
networking:
  serviceNetwork:
    - 172.30.0.0/16
platform:
  none: {}
sshKey: ssh-ed25519 AAAA
`);
    expect(textOf(site, 'manifests/a.yaml')).toBe('a: 1\n');
    expect(siteOf('cluster-instance', files, { site: 'site8' }).name).toBe('site8');
  });
});

describe('the agent installer', () => {
  test.each([
    [
      'a second host',
      'hosts:\n',
      'hosts:\n  - hostname: node0\n',
      ['agent-config.yaml:10:5 import/not-single-node: agent-config.yaml has 2 hosts'],
    ],
    [
      'a worker',
      'role: master',
      'role: worker',
      ['agent-config.yaml:10:11 import/not-single-node: the role of the node is not master'],
    ],
  ])('with %s', (_name, from, to, want) => {
    const text = agentFiles['agent-config.yaml']?.replace(from, to) ?? '';
    expect(saidOf(imported('agent-config', { ...agentFiles, 'agent-config.yaml': text }))).toEqual(want);
  });

  test.each([
    ['that is no YAML', 'a: [1\nb: 2\n', '1:1 config/yaml-syntax: a bracket of this line is not closed'],
    [
      'with a field twice',
      'hosts: []\na: 1\na: 2\n',
      '3:1 config/duplicate-field: "a" is given twice, first on line 2',
    ],
    ['that is a list', '- a\n', '1:1 config/not-one-document: $name is not a map of fields'],
    ['of nothing', '', ' config/not-one-document: $name is empty'],
  ])('refuses a config %s at its line', (_name, text, want) => {
    for (const name of Object.keys(agentFiles)) {
      const place = `${name}${want.startsWith(' ') ? '' : ':'}${want.replace('$name', name)}`;
      expect(saidOf(imported('agent-config', { ...agentFiles, [name]: text }))).toEqual([place]);
    }
  });

  it('rejects consumed files if the state file is unreadable', () => {
    const file = { Filename: 'install-config.yaml', Data: Buffer.from('a: [').toString('base64') };
    const made = imported('install-dir', { '.openshift_install_state.json': JSON.stringify({ file }) });
    expect(problemsOf(made).map(({ at, code }) => [at, code])).toEqual([
      [{ file: '.openshift_install_state.json' }, 'config/yaml-syntax'],
    ]);
  });

  it('keeps install-config.yaml, and adds a disk unless it has one', () => {
    const config = agentFiles['install-config.yaml'] ?? '';
    const disk = { installationDisk: '/dev/vda' };
    const end = 'bootstrapInPlace:\n  installationDisk: /dev/vda\n';
    expect(textOf(siteOf('agent-config', agentFiles, disk), 'install-config.yaml')).toBe(`${config}${end}`);

    const other = { ...agentFiles, 'install-config.yaml': `${config}${end.replace('vda', 'vdb')}` };
    const kept = textOf(siteOf('agent-config', other), 'install-config.yaml');
    expect(kept).toBe(other['install-config.yaml']);
    const changed = textOf(siteOf('agent-config', other, disk), 'install-config.yaml');
    expect([changed.includes(end), changed.includes('vdb')]).toEqual([true, false]);
  });

  it('reads consumed files from the state file of openshift-install', () => {
    const asset = (name: string) => ({
      Config: {},
      File: { Filename: name, Data: Buffer.from(agentFiles[name] ?? '').toString('base64') },
    });
    const state = JSON.stringify({
      '*agentconfig.AgentConfig': asset('agent-config.yaml'),
      '*agent.OptionalInstallConfig': { InstallConfig: asset('install-config.yaml') },
    });
    const kept = siteOf('agent-config', { '.openshift_install_state.json': state });
    expect(kept.files.map(({ text }) => text)).toEqual(
      siteOf('agent-config', agentFiles).files.map(({ text }) => text),
    );
  });

  it('keeps the hints of the disk', () => {
    const site = siteOf('agent-config', agentFiles);
    expect(textOf(site, 'sno-config.yaml')).toContain(
      'rootDeviceHints:\n  wwn: "0x5000c500a1b2c3d4"\n  minSizeGigabytes: 120\n',
    );
    expect(textOf(site, 'install-config.yaml')).not.toContain('bootstrapInPlace');
  });

  it('warns of hints if install-config.yaml already names the disk', () => {
    const config = `${agentFiles['install-config.yaml'] ?? ''}bootstrapInPlace:\n  installationDisk: /dev/disk/by-id/a\n`;
    const site = siteOf('agent-config', { ...agentFiles, 'install-config.yaml': config });
    expect(textOf(site, 'sno-config.yaml')).not.toContain('rootDeviceHints');
    expect(site.problems.map(({ message }) => message)).toContain(
      'rootDeviceHints is not imported: bootstrapInPlace already names the disk',
    );
  });

  it('drops the hints for --installation-disk', () => {
    const site = siteOf('agent-config', agentFiles, { installationDisk: '/dev/disk/by-id/a' });
    expect(textOf(site, 'sno-config.yaml')).not.toContain('rootDeviceHints');
    expect(textOf(site, 'install-config.yaml')).toContain('installationDisk: /dev/disk/by-id/a\n');
  });

  it('adds a disk to an indented config', () => {
    const config = (agentFiles['install-config.yaml'] ?? '').replace(/^(?=.)/gm, '  ');
    const agent = (agentFiles['agent-config.yaml'] ?? '').replace(
      /wwn: .*\n.*minSizeGigabytes: 120/,
      'deviceName: /dev/disk/by-id/wwn-0x5000c500a1b2c3d4',
    );
    const files = { 'agent-config.yaml': agent, 'install-config.yaml': config };
    const site = siteOf('agent-config', { ...agentFiles, ...files });
    expect(textOf(site, 'install-config.yaml')).toMatch(/^apiVersion: v1\n[^]*^bootstrapInPlace:\n {2}inst/m);
  });

  it('ignores a state file that is nested too deeply', () => {
    const state = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const codes = problemsOf(imported('agent-config', { '.openshift_install_state.json': state }));
    expect(codes.map(({ code }) => code)).toEqual(['import/no-source', 'import/no-source']);
  });

  it('reports that cluster-manifests/ and mirror/ are not read', () => {
    const files = { ...agentFiles, 'cluster-manifests/a.yaml': 'a: 1\n', 'mirror/registries.conf': '' };
    expect(saidOf(imported('agent-config', files))).toEqual([
      'cluster-manifests import/left-out: cluster-manifests/ is not imported',
      'mirror import/left-out: mirror/ is not imported',
    ]);
  });
});
