import { describe, expect, it } from 'vitest';

import { validateAnySpec } from '../../../src/ignition/foreign/validate-any-spec.js';
import { machineConfigProblems } from '../../../src/manifests/checks/check-machine-config.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { showProblem } from '../../support/show-problem.js';

const usual = { workers: 0, version: { major: 4, minor: 21, text: '4.21' }, judge: validateAnySpec };
const before419 = { ...usual, version: { major: 4, minor: 18, text: '4.18' } };
const withWorker = { ...usual, workers: 1 };

function machineConfig(spec: string, role = 'master', name = '99-master-mine'): string {
  return `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  labels: {machineconfiguration.openshift.io/role: ${role}}
  name: ${name}
spec:
${spec.replaceAll(/^/gm, '  ')}
`;
}

/** The Ignition config starts at line 9. */
function ignition(config: string, version = '3.2.0'): string {
  return machineConfig(`config:\n  ignition: {version: ${version}}\n${config.replaceAll(/^/gm, '  ')}`);
}

function found(
  text: string,
  cluster: Parameters<typeof machineConfigProblems>[1] = usual,
): readonly string[] {
  return machineConfigProblems(objectsOf(text), cluster).map(showProblem);
}

describe('MachineConfigs that reach the node', () => {
  it.each([
    { name: 'kernel arguments alone', given: machineConfig('kernelArguments: [nosmt]') },
    { name: 'no config at all', given: machineConfig('config:\nkernelType: realtime') },
    { name: 'spec 3.5.0 that uses nothing new', given: ignition('passwd: {users: [{name: core}]}', '3.5.0') },
    {
      name: 'files, units, disks',
      given: ignition(
        [
          'storage:',
          '  files:',
          '  - {path: /etc/a, mode: 0755, contents: {source: "data:,a"}}',
          '  - {path: /etc/b, mode: 511, contents: {source: ""}}',
          '  luks: [{name: root, device: /dev/b, clevis: {tpm2: true}}]',
          'systemd: {units: [{name: a.service, enabled: true}]}',
        ].join('\n'),
      ),
    },
    {
      name: 'another kind called MachineConfig',
      given: 'apiVersion: example.com/v1\nkind: MachineConfig\nmetadata: {name: a}\n',
    },
  ])('$name', ({ given }) => {
    expect(found(given)).toEqual([]);
  });
});

describe('the role', () => {
  it('is missing', () => {
    const given = machineConfig('kernelArguments: [nosmt]').replace(/ {2}labels.*\n/, '');
    expect(found(given)).toEqual([
      'warning[manifest/machine-config-role] f.yaml:3:1 (metadata.labels["machineconfiguration.openshift.io/role"]): MachineConfig 99-master-mine has no label machineconfiguration.openshift.io/role, so it applies to no node',
    ]);
  });

  it('does not match a pool', () => {
    const at = 'f.yaml:4:52 (metadata.labels["machineconfiguration.openshift.io/role"])';
    const given = machineConfig('kernelArguments: [nosmt]', 'masters');
    expect(found(given)).toEqual([
      `warning[manifest/machine-config-role] ${at}: MachineConfig 99-master-mine has role "masters", which no MachineConfigPool selects`,
    ]);
    const pool =
      'apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfigPool\nmetadata: {name: masters}\n';
    expect(found(`${given}---\n${pool}`)).toEqual([]);
  });

  it('is worker without a worker', () => {
    const given = machineConfig('kernelArguments: [nosmt]', 'worker');
    expect(found(given)).toEqual([
      'warning[manifest/machine-config-role] f.yaml:4:52 (metadata.labels["machineconfiguration.openshift.io/role"]): MachineConfig 99-master-mine is for workers, and this installation has none',
    ]);
    expect(found(given, withWorker)).toEqual([]);
  });

  it('is worker for later workers, with another MachineConfig for the node', () => {
    const [worker, master] = ['worker', 'master'].map((role) =>
      machineConfig('kernelArguments: [nosmt]', role, `99-${role}-mine`),
    );
    expect(found(`${worker ?? ''}---\n${master ?? ''}`)).toEqual([]);
  });
});

describe('the name', () => {
  it.each([
    'rendered-master-1',
    '00-master',
    '01-master-kubelet',
    '99-master-generated-kubelet',
    '97-worker-generated-x',
  ])('%s belongs to the operator', (name) => {
    expect(found(machineConfig('kernelArguments: [a]', 'master', name))).toEqual([
      `error[manifest/machine-config-name] f.yaml:5:9 (metadata.name): MachineConfig ${name} has a name that the machine config operator uses`,
    ]);
  });

  it.each(['01-disk-setup-etcd-master', '02-master-workload-partitioning', '99-master-ssh'])(
    '%s is free',
    (name) => {
      expect(found(machineConfig('kernelArguments: [a]', 'master', name))).toEqual([]);
    },
  );
});

it('the kernel type is none there is', () => {
  expect(found(machineConfig('kernelType: rt'))).toEqual([
    'error[manifest/kernel-type] f.yaml:7:15 (spec.kernelType): kernelType is "rt", expected default, realtime or 64k-pages',
  ]);
});

describe('extensions', () => {
  const given = (...names: readonly string[]) => machineConfig(`extensions: [${names.join(', ')}]`);

  it('are those of the release', () => {
    expect(found(given('usbguard', 'ipsec', 'wasm', 'sysstat', 'kernel-devel'))).toEqual([]);
    expect(found(given('wasm'), { ...usual, version: { major: 4, minor: 22, text: '4.22' } })).toHaveLength(
      1,
    );
    expect(found(given('two-node-ha'), before419)).toHaveLength(1);
  });

  it('are refused by name', () => {
    expect(found(given('usbguard', 'kvm'))).toEqual([
      'error[manifest/extension] f.yaml:7:26 (spec.extensions[1]): unknown extension "kvm", expected ipsec, kerberos, kernel-devel, sandboxed-containers, sysstat, two-node-ha, usbguard, wasm',
    ]);
  });
});

describe('the node', () => {
  it('loses its boot disk', () => {
    const disks = ignition('storage: {disks: [{device: /dev/disk/by-id/a, wipeTable: true}]}');
    expect(found(disks)).toEqual([]);
    expect(found(disks, { ...usual, bootDisk: '/dev/disk/by-id/a' })).toEqual([
      'error[manifest/unbootable] f.yaml:9:62 (spec.config.storage.disks[0].wipeTable): wipeTable deletes the partitions that the node boots from: the disk is the one it is installed on',
    ]);
  });

  it('mounts a file system by a unit of another MachineConfig', () => {
    const filesystem = ignition('storage: {filesystems: [{device: /dev/b, path: /var/a, format: xfs}]}');
    const mount = ignition(
      'systemd: {units: [{name: var-a.mount, enabled: true, contents: "[Install]"}]}',
    ).replace('-mine', '-b');
    expect(found(filesystem)).toHaveLength(1);
    expect(found(`${filesystem}---\n${mount}`)).toEqual([]);
  });
});

it('a field of Butane and a mode without its zero are explained', () => {
  const given = ignition(
    'storage: {files: [{path: /etc/a, mode: 644, contents: {inline: b}}], filesystems: [{device: /dev/b, with_mount_unit: true}]}',
  );
  const hints = machineConfigProblems(objectsOf(given), usual).map(({ hint }) => hint);
  const butane = 'this is a Butane field: convert the config with the program butane';
  expect(hints).toEqual(['write 420, which is octal 0644', butane, butane]);
});

describe('the Ignition version', () => {
  it.each([
    {
      name: 'missing',
      given: machineConfig('config:\n  storage: {}'),
      want: [
        'error[manifest/ignition-version] f.yaml:7:3 (spec.config.ignition.version): spec.config.ignition.version is missing',
      ],
    },
    {
      name: 'of a spec 2 that no operator converts',
      given: ignition('storage: {}', '2.4.0'),
      want: [
        'error[manifest/ignition-version] f.yaml:8:25 (spec.config.ignition.version): the Ignition spec is "2.4.0", expected 2.2.0, or 3.0.0 to 3.5.0',
      ],
    },
    {
      name: 'later than any release',
      given: ignition('kernelArguments: {shouldExist: [a]}', '3.6.0'),
      want: [
        'error[manifest/ignition-version] f.yaml:8:25 (spec.config.ignition.version): the Ignition spec is "3.6.0", expected 2.2.0, or 3.0.0 to 3.5.0',
      ],
    },
    {
      name: 'a number',
      given: ignition('storage: {}', '3.2'),
      want: [
        'error[manifest/ignition-version] f.yaml:8:25 (spec.config.ignition.version): the Ignition spec is "3.2", expected 2.2.0, or 3.0.0 to 3.5.0',
      ],
    },
    {
      name: 'experimental',
      given: ignition('storage: {}', '3.5.0-experimental'),
      want: [
        'error[manifest/ignition-version] f.yaml:8:25 (spec.config.ignition.version): the Ignition spec is "3.5.0-experimental", expected 2.2.0, or 3.0.0 to 3.5.0',
      ],
    },
  ])('$name', ({ given, want }) => {
    expect(found(given)).toEqual(want);
  });

  it('later than this release', () => {
    expect(found(ignition('storage: {}', '3.5.0'), before419)).toEqual([
      'error[manifest/ignition-version] f.yaml:8:25 (spec.config.ignition.version): the Ignition spec is "3.5.0", expected 2.2.0, or 3.0.0 to 3.4.0',
    ]);
    expect(found(ignition('storage: {}', '3.4.0'), before419)).toEqual([]);
  });
});

const sctp = `storage:
  files:
    - {filesystem: root, path: /etc/modprobe.d/a.conf, mode: 420, contents: {source: "data:,", verification: {}}}
    - filesystem: root
      path: /etc/modules-load.d/a.conf
      mode: 420
      append: false
      contents: {source: "data:text/plain;charset=utf-8,sctp"}
systemd: {units: [{name: a.service, enable: true, contents: "[Install]\\nWantedBy=multi-user.target\\n"}]}
passwd: {users: [{name: core, sshAuthorizedKeys: [ssh-ed25519 AAAA]}]}`;

describe('a config of spec 2.2.0', () => {
  const invalid = (place: string, message: string): string =>
    `error[manifest/ignition-invalid] f.yaml:${place}: ${message}`;
  it.each([
    { name: 'that is sound', from: '', to: '', want: [] },
    {
      name: 'with a file of no filesystem',
      from: 'filesystem: root\n      ',
      to: '',
      want: [
        invalid(
          '12:11 (spec.config.storage.files[1].filesystem)',
          'Ignition spec 2.2.0 requires the filesystem root here',
        ),
      ],
    },
    {
      name: 'with a file twice',
      from: '/etc/modules-load.d/',
      to: '/etc/modprobe.d/',
      want: [
        invalid(
          '13:17 (spec.config.storage.files[1].path)',
          '"/etc/modprobe.d/a.conf" is in the config twice',
        ),
      ],
    },
    {
      name: 'with a unit that is enabled by nothing',
      from: '[Install]\\nWantedBy=multi-user.target',
      to: '[Unit]',
      want: [
        'warning[manifest/ignition-lost] f.yaml:17:49 (spec.config.systemd.units[0].enable): enabling a unit without an [Install] section has no effect',
      ],
    },
    {
      name: 'with a field of no such spec',
      from: 'append: false',
      to: 'contents_local: a\n      append: false',
      want: [
        'warning[manifest/ignition-lost] f.yaml:15:11 (spec.config.storage.files[1].contents_local): Ignition spec 2.2.0 has no field "contents_local" here, which is left out',
      ],
    },
    {
      name: 'that appends',
      from: 'append: false',
      to: 'append: true',
      want: [
        'error[manifest/ignition-unsupported] f.yaml:15:19 (spec.config.storage.files[1].append): a MachineConfig cannot append to a file',
      ],
    },
    {
      name: 'with a user that is created',
      from: 'name: core',
      to: 'name: core, create: {uid: 1}',
      want: [
        invalid(
          '18:35 (spec.config.passwd.users[0].create)',
          'create is refused when the config is converted to spec 3',
        ),
      ],
    },
    {
      name: 'with disks and a network',
      from: 'systemd:',
      to: '  disks: [{device: /dev/sda}]\nnetworkd: {units: [{name: a.network}]}\nsystemd:',
      want: [
        invalid('18:5 (spec.config.networkd)', 'networkd of Ignition spec 2.2.0 is not supported'),
        invalid('17:7 (spec.config.storage.disks)', 'storage.disks of Ignition spec 2.2.0 is not supported'),
      ],
    },
    {
      name: 'with values of other types',
      from: 'mode: 420, contents',
      to: 'mode: "0644", contents',
      want: [
        invalid(
          '11:66 (spec.config.storage.files[0].mode)',
          'storage.files[0].mode must be a whole number, not a string',
        ),
      ],
    },
  ])('$name', ({ from, to, want }) => {
    expect(found(ignition(sctp.replace(from, to), '2.2.0'))).toEqual(want);
  });
});

describe('features newer than spec 3.2.0 or not supported by the operator', () => {
  it.each([
    {
      given: 'kernelArguments: {shouldExist: [nosmt]}',
      want: 'error[manifest/ignition-feature] f.yaml:9:37 (spec.config.kernelArguments.shouldExist[0]): kernel arguments inside the Ignition config need spec 3.3',
    },
    {
      given: 'storage: {luks: [{name: a, device: /dev/b, discard: true}]}',
      want: 'error[manifest/ignition-feature] f.yaml:9:57 (spec.config.storage.luks[0].discard): discard and openOptions of luks need spec 3.4',
    },
    {
      given: 'storage: {luks: [{name: a, device: /dev/b, openOptions: [--allow-discards]}]}',
      want: 'error[manifest/ignition-feature] f.yaml:9:62 (spec.config.storage.luks[0].openOptions[0]): discard and openOptions of luks need spec 3.4',
    },
    {
      given:
        'storage: {luks: [{name: a, device: /dev/b, clevis: {tang: [{url: "http://t", advertisement: "{}"}]}}]}',
      want: 'error[manifest/ignition-feature] f.yaml:9:97 (spec.config.storage.luks[0].clevis.tang[0].advertisement): advertisement of tang needs spec 3.4',
    },
    {
      given: 'storage: {luks: [{name: a, device: /dev/b, cex: {enabled: true}}]}',
      want: 'error[manifest/ignition-feature] f.yaml:9:63 (spec.config.storage.luks[0].cex.enabled): cex of luks needs spec 3.5',
    },
    {
      given: 'storage: {files: [{path: /etc/a, mode: 04755, contents: {source: "data:,"}}]}',
      want: 'error[manifest/ignition-feature] f.yaml:9:44 (spec.config.storage.files[0].mode): a mode with setuid, setgid or sticky bit needs spec 3.4',
    },
    {
      given: 'storage: {directories: [{path: /etc/a, mode: 1023}]}',
      want: 'error[manifest/ignition-feature] f.yaml:9:50 (spec.config.storage.directories[0].mode): a mode with setuid, setgid or sticky bit needs spec 3.4',
    },
    {
      given: 'storage: {files: [{path: /etc/a, contents: {source: "arn:aws:s3:::b/c"}}]}',
      want: 'error[manifest/ignition-feature] f.yaml:9:57 (spec.config.storage.files[0].contents.source): a source that starts with arn: needs spec 3.4',
    },
    {
      given: 'passwd: {users: [{name: core}, {name: admin}]}',
      want: 'error[manifest/ignition-unsupported] f.yaml:9:43 (spec.config.passwd.users[1].name): a MachineConfig may set up the user core only',
    },
    {
      given: 'passwd: {groups: [{name: admins}]}',
      want: 'error[manifest/ignition-unsupported] f.yaml:9:30 (spec.config.passwd.groups[0].name): a MachineConfig cannot create groups',
    },
    {
      given: 'storage: {files: [{path: /etc/a, contents: {source: "https://example.com/a"}}]}',
      want: 'error[manifest/ignition-unsupported] f.yaml:9:57 (spec.config.storage.files[0].contents.source): a file of a MachineConfig must have its contents as a data: URL',
    },
    {
      given: 'storage: {files: [{path: /etc/a, append: [{source: "data:,a"}]}]}',
      want: 'error[manifest/ignition-unsupported] f.yaml:9:56 (spec.config.storage.files[0].append[0].source): a MachineConfig cannot append to a file',
    },
  ])('$given', ({ given, want }) => {
    expect(found(ignition(given, '3.4.0'))).toEqual([want]);
  });
});

describe('fields that the spec of the config rejects or does not define', () => {
  it.each([
    {
      name: 'a config that is a text',
      given: machineConfig('config: "{}"'),
      want: [
        'error[manifest/ignition-invalid] f.yaml:7:11 (spec.config): the Ignition config must be a map of fields, not a string',
      ],
    },
    {
      name: 'a mode in quotes',
      given: ignition('storage: {files: [{path: /etc/a, mode: "0644"}]}'),
      want: [
        'error[manifest/ignition-invalid] f.yaml:9:44 (spec.config.storage.files[0].mode): storage.files[0].mode must be a whole number, not a string',
      ],
    },
    {
      name: 'a text that YAML reads otherwise',
      given: ignition('passwd: {users: [{name: core, groups: [yes]}]}'),
      want: [
        'error[manifest/ignition-invalid] f.yaml:9:44 (spec.config.passwd.users[0].groups[0]): passwd.users[0].groups[0] must be a string, not true or false',
      ],
    },
    {
      name: 'a path twice and contents that cannot be decoded',
      given: ignition(
        'storage:\n  files:\n  - {path: /etc/a, contents: {source: "data:,a b"}}\n  - {path: /etc/a}',
      ),
      want: [
        'error[manifest/ignition-invalid] f.yaml:12:16 (spec.config.storage.files[1].path): "/etc/a" is in the config twice',
        'error[manifest/ignition-invalid] f.yaml:11:43 (spec.config.storage.files[0].contents.source): a data: URL cannot be decoded',
      ],
    },
    {
      name: 'fields that are left over from spec 2',
      given: ignition('networkd: {}\nstorage: {files: [{path: /etc/a, filesystem: root}]}'),
      want: [
        'warning[manifest/ignition-lost] f.yaml:9:5 (spec.config.networkd): unknown field "networkd", which Ignition ignores',
        'warning[manifest/ignition-lost] f.yaml:10:38 (spec.config.storage.files[0].filesystem): unknown field "filesystem" in storage.files[0], which Ignition ignores',
      ],
    },
    {
      name: 'a field that came after the spec of the config',
      given: ignition('storage: {filesystems: [{device: /dev/a, format: xfs, mountOptions: [ro]}]}', '3.0.0'),
      want: [
        'warning[manifest/ignition-lost] f.yaml:9:59 (spec.config.storage.filesystems[0].mountOptions): storage.filesystems[0].mountOptions needs Ignition spec 3.1.0, and the config has 3.0.0',
      ],
    },
    {
      name: 'what the node cannot be given is said once',
      given: ignition('kernelArguments: {shouldExist: [nosmt]}'),
      want: [
        'error[manifest/ignition-feature] f.yaml:9:37 (spec.config.kernelArguments.shouldExist[0]): kernel arguments inside the Ignition config need spec 3.3',
      ],
    },
    {
      name: 'nothing, where null stands for what is left out',
      given: ignition('passwd: null\nstorage: {files: [{path: /etc/a, user: null}]}'),
      want: [],
    },
  ])('$name', ({ given, want }) => {
    expect(found(given)).toEqual(want);
  });
});
