import { describe, expect, it } from 'vitest';

import { nodeSettingFiles } from '../../../src/assets/manifests/machines/node-settings.js';
import { localDns } from '../../../src/assets/manifests/machines/local-dns.js';
import { decodeDataUrl } from '../../../src/formats/data-url.js';
import { fieldAt, listAt, textAt } from '../../../src/kube/fields.js';
import { dualStack, allManifests, made, textsOf, type Given } from './generate.js';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPmjS1O7wJXzLw6e0n0r9mDL8m1m3pYyq0xV5H6mJmEx throwaway';

function machineConfig(role: string, name: string, spec: string): string {
  return `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  labels:
    machineconfiguration.openshift.io/role: ${role}
  name: ${name}
spec:
  config:
    ignition:
      version: 3.2.0
${spec}`;
}

function path(name: string): string {
  return `openshift/99_openshift-machineconfig_${name}.yaml`;
}

async function machineConfigsOf(given: Given): Promise<Readonly<Record<string, string>>> {
  const texts = Object.entries(await textsOf(given));
  return Object.fromEntries(texts.filter(([name]) => name.includes('_openshift-machineconfig_')));
}

function users(keys: readonly string[]): string {
  const lines = keys.map((each) => `            - ${each}\n`).join('');
  return `    passwd:\n      users:\n        - name: core\n          sshAuthorizedKeys:\n${lines}`;
}

function kernelArguments(values: readonly string[]): string {
  return `  kernelArguments:\n${values.map((value) => `    - ${value}\n`).join('')}`;
}

describe('MachineConfigs of install-config.yaml', () => {
  it.each([
    { name: 'nothing asked for', given: {}, want: {} },
    {
      name: 'SSH keys, one a line',
      given: { install: `sshKey: |\n  ${key}\n\n  ${key}-two\n` },
      want: {
        [path('99-master-ssh')]: machineConfig('master', '99-master-ssh', users([key, `${key}-two`])),
        [path('99-worker-ssh')]: machineConfig('worker', '99-worker-ssh', users([key, `${key}-two`])),
      },
    },
    {
      name: 'FIPS',
      given: { install: 'fips: true\n' },
      want: {
        [path('99-master-fips')]: machineConfig('master', '99-master-fips', '  fips: true\n'),
        [path('99-worker-fips')]: machineConfig('worker', '99-worker-fips', '  fips: true\n'),
      },
    },
    {
      name: 'both families',
      given: { install: dualStack },
      want: {
        [path('99-dual-stack-master')]: machineConfig(
          'master',
          '99-dual-stack-master',
          kernelArguments(['ip=dhcp,dhcp6']),
        ),
        [path('99-dual-stack-worker')]: machineConfig(
          'worker',
          '99-dual-stack-worker',
          kernelArguments(['ip=dhcp,dhcp6']),
        ),
      },
    },
    {
      name: 'both families with an address of the node’s own',
      given: {
        install: dualStack,
        sno: 'kernelArguments: ["ip=192.168.126.9::192.168.126.1:24::ens3:none"]\n',
      },
      want: {
        [path('99-dual-stack-worker')]: machineConfig(
          'worker',
          '99-dual-stack-worker',
          kernelArguments(['ip=dhcp,dhcp6']),
        ),
        [path('99-master-kernel-arguments')]: machineConfig(
          'master',
          '99-master-kernel-arguments',
          kernelArguments(['ip=192.168.126.9::192.168.126.1:24::ens3:none']),
        ),
      },
    },
  ] satisfies readonly { name: string; given: Given; want: Record<string, string> }[])(
    '$name',
    async ({ given, want }) => {
      expect(await machineConfigsOf(given)).toEqual(want);
    },
  );

  it('hyperthreading off, per pool', async () => {
    const off = (role: string): Record<string, string> => {
      const name = `99-${role}-disable-hyperthreading`;
      return { [path(name)]: machineConfig(role, name, kernelArguments(['nosmt', 'smt-enabled=off'])) };
    };
    const files = (master: string, worker: string): Given => ({
      files: {
        'install-config.yaml': `apiVersion: v1
metadata: {name: edge}
baseDomain: example.com
controlPlane: {name: master, replicas: 1, hyperthreading: ${master}}
compute: [{name: worker, replicas: 0, hyperthreading: ${worker}}]
platform: {none: {}}
bootstrapInPlace: {installationDisk: /dev/disk/by-id/wwn-0x5000c500a1b2c3d4}
pullSecret: '{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}'
`,
      },
    });
    expect(await machineConfigsOf(files('Disabled', 'Enabled'))).toEqual(off('master'));
    expect(await machineConfigsOf(files('Enabled', 'Disabled'))).toEqual(off('worker'));
    expect(await machineConfigsOf(files('Disabled', 'Disabled'))).toEqual({
      ...off('master'),
      ...off('worker'),
    });
  });
});

const everything: Given = {
  sno: `hostname: edge-1.example.com
nodeIP: 10.0.0.5
ntpSources: [ntp1.example.com, 192.0.2.7]
kernelArguments: ["console=ttyS0,115200", nosmt]
dns: {local: true}
kubelet: {gracefulShutdown: {total: 5m, criticalPods: 60s}}
`,
};

describe('settings of sno-config.yaml', () => {
  it('are MachineConfigs for the node', async () => {
    const file = (name: string, source: string): Record<string, string> => ({
      [path(name.replace(/:.*/, ''))]: machineConfig(
        name.startsWith('99-worker') ? 'worker' : 'master',
        name.replace(/:.*/, ''),
        `    storage:
      files:
        - contents:
            source: ${source}
          mode: 420
          overwrite: true
          path: ${name.replace(/.*:/, '')}
          user:
            name: root
`,
      ),
    });
    const chrony =
      'data:,server%20ntp1.example.com%20iburst%0Aserver%20192.0.2.7%20iburst%0Adriftfile%20/var/lib/chrony/drift%0Amakestep%201.0%203%0Artcsync%0Alogdir%20/var/log/chrony%0A';
    const { [path('50-master-dnsmasq-configuration')]: dns, ...others } = await machineConfigsOf(everything);
    expect(dns).toBeDefined();
    expect(others).toEqual({
      ...file('99-master-hostname:/etc/hostname', 'data:,edge-1.example.com%0A'),
      ...file(
        '10-master-node-ip-hint:/etc/default/nodeip-configuration',
        'data:,KUBELET_NODEIP_HINT=10.0.0.5%0A',
      ),
      ...file('99-master-chrony:/etc/chrony.conf', chrony),
      ...file('99-worker-chrony:/etc/chrony.conf', chrony),
      [path('99-master-kernel-arguments')]: machineConfig(
        'master',
        '99-master-kernel-arguments',
        kernelArguments(['console=ttyS0,115200', 'nosmt']),
      ),
    });
  });

  it('are the same files in the live system', async () => {
    const [live, dns] = [await made(nodeSettingFiles, everything), await made(localDns, everything)];
    if (!live.ok || !dns.ok) throw new Error('the config has problems');
    const installed = (await allManifests(everything)).flatMap(({ object }) =>
      object.kind === 'MachineConfig' && object.metadata.name !== '99-worker-chrony'
        ? listAt(object, ['spec', 'config', 'storage', 'files'])
        : [],
    );
    const shown = installed.map((each) => ({
      path: textAt(each, ['path']),
      mode: fieldAt(each, ['mode']),
      contents: decodeDataUrl(textAt(each, ['contents', 'source']) ?? '')?.toString(),
    }));
    const byPath = (left: { path?: string | undefined }, right: { path?: string | undefined }): number =>
      String(left.path) < String(right.path) ? -1 : 1;
    expect(shown.toSorted(byPath)).toEqual([...live.value, ...dns.value.files].toSorted(byPath));
  });

  it('set the labels of the node, in the order of their keys', async () => {
    const sno = 'nodeLabels: {topology.kubernetes.io/zone: rack-1, example.com/edge: }\n';
    expect(await machineConfigsOf({ sno })).toEqual({
      [path('99-master-node-labels')]: machineConfig(
        'master',
        '99-master-node-labels',
        `    storage:
      files:
        - contents:
            source: data:,%5BService%5D%0AEnvironment=%22CUSTOM_KUBELET_LABELS=example.com/edge=,topology.kubernetes.io/zone=rack-1%22%0A
          mode: 420
          overwrite: true
          path: /etc/systemd/system/kubelet.service.d/30-node-labels.conf
          user:
            name: root
`,
      ),
    });
  });

  it.each([
    {
      name: 'by the TPM',
      given: { sno: 'diskEncryption: {tpm2: true}\n' },
      clevis: '            tpm2: true\n',
      rest: '',
    },
    {
      name: 'by a Tang server, with FIPS',
      given: {
        install: 'fips: true\n',
        sno: `diskEncryption: {tang: [{url: "http://192.0.2.1", thumbprint: ${'a'.repeat(43)}}]}\n`,
      },
      clevis: `            tang:\n              - thumbprint: ${'a'.repeat(43)}\n                url: http://192.0.2.1\n`,
      options: '          options:\n            - --cipher\n            - aes-cbc-essiv:sha256\n',
      rest: kernelArguments(['rd.neednet=1']),
    },
  ] satisfies readonly { name: string; given: Given; clevis: string; options?: string; rest: string }[])(
    'encrypt the disk: $name',
    async ({ given, clevis, options = '', rest }) => {
      const { [path('99-master-disk-encryption')]: text } = await machineConfigsOf(given);
      expect(text).toBe(
        machineConfig(
          'master',
          '99-master-disk-encryption',
          `    storage:
      filesystems:
        - device: /dev/mapper/root
          format: xfs
          label: root
          wipeFilesystem: true
      luks:
        - clevis:
${clevis}          device: /dev/disk/by-partlabel/root
          label: luks-root
          name: root
${options}          wipeVolume: true
${rest}`,
        ),
      );
    },
  );

  it('leave time for pods to end', async () => {
    expect((await textsOf(everything))['openshift/99_kubelet-graceful-shutdown.yaml'])
      .toBe(`apiVersion: machineconfiguration.openshift.io/v1
kind: KubeletConfig
metadata:
  name: master-graceful-shutdown
spec:
  kubeletConfig:
    shutdownGracePeriod: 300s
    shutdownGracePeriodCriticalPods: 60s
  machineConfigPoolSelector:
    matchLabels:
      pools.operator.machineconfiguration.openshift.io/master: ""
`);
  });

  it('add no objects by default', async () => {
    const { value } = (await made(localDns)) as { value?: unknown };
    expect(value).toEqual({ files: [], units: [] });
    expect(Object.keys(await textsOf())).not.toContain('openshift/99_kubelet-graceful-shutdown.yaml');
  });
});

describe('the DNS server of the node', () => {
  it('answers for the cluster and forwards other queries', async () => {
    const result = await made(localDns, everything);
    if (!result.ok) throw new Error('the config has problems');
    const { files, units } = result.value;
    const shown = files.map(({ path, mode, contents }) => ({ path, mode, contents: contents.toString() }));
    expect(shown.map(({ path, mode }) => `${mode.toString(8)} ${path}`)).toEqual([
      '644 /etc/NetworkManager/conf.d/single-node.conf',
      '555 /etc/NetworkManager/dispatcher.d/forcedns',
      '644 /etc/default/local-dns',
      '555 /usr/local/bin/dnsmasq_config.sh',
    ]);
    expect(shown[2]?.contents).toBe('CLUSTER_NAME=edge\nBASE_DOMAIN=example.com\nNODE_IP=10.0.0.5\n');
    expect(units.map(({ name, enabled }) => ({ name, enabled }))).toEqual([
      { name: 'dnsmasq.service', enabled: true },
    ]);
  });
});

describe('the record of the installation', () => {
  it.each([
    { name: 'by hand', environment: {}, invoker: 'user' },
    { name: 'by a program that says so', environment: { invoker: 'factory' }, invoker: 'factory' },
  ])('$name', async ({ environment, invoker }) => {
    expect((await textsOf({ environment }))['openshift/openshift-install-manifests.yaml'])
      .toBe(`apiVersion: v1
data:
  invoker: ${invoker}
  version: sno-install 0.1.0
kind: ConfigMap
metadata:
  name: openshift-install-manifests
  namespace: openshift-config
`);
  });
});
