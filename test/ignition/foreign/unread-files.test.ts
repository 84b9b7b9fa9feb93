import { describe, expect, it } from 'vitest';

import { pathText } from '../../../src/formats/yaml/yaml-tree.js';
import { unreadFaults, type ReaderFacts } from '../../../src/ignition/foreign/unread-files.js';

function found(config: unknown, facts: ReaderFacts = {}): readonly string[] {
  return unreadFaults(config, facts).map(({ path, message }) => `${pathText(path)}: ${message}`);
}

function files(...entries: readonly object[]): unknown {
  return { storage: { files: entries } };
}

describe('names', () => {
  it.each([
    ['/etc/sysctl.d/99-site', 'sysctl', '.conf', '99-site.conf'],
    ['/etc/sysctl.d/99-site.cfg', 'sysctl', '.conf', '99-site.conf'],
    ['/etc/modprobe.d/sctp', 'modprobe', '.conf', 'sctp.conf'],
    ['/etc/modules-load.d/sctp.modules', 'systemd-modules-load', '.conf', 'sctp.modules.conf'],
    ['/etc/udev/rules.d/99-site.conf', 'udev', '.rules', '99-site.rules'],
    ['/etc/tmpfiles.d/a', 'systemd-tmpfiles', '.conf', 'a.conf'],
    ['/etc/containers/registries.conf.d/mirror', 'CRI-O', '.conf', 'mirror.conf'],
    ['/etc/containers/registries.d/sigstore.yml', 'CRI-O', '.yaml', 'sigstore.yaml'],
    ['/etc/systemd/system/kubelet.service.d/20-site', 'systemd', '.conf', '20-site.conf'],
    ['/etc/systemd/journald.conf.d/site', 'systemd', '.conf', 'site.conf'],
    ['/etc/systemd/network/10-eno1.conf', 'systemd', '.link or .network or .netdev', '10-eno1.link'],
    ['/etc/nmstate/br-ex.yaml', 'nmstate.service', '.yml', 'br-ex.yml'],
  ])('%s', (path, reader, suffix, name) => {
    const [fault] = unreadFaults(files({ path }), {});
    expect(fault?.message).toBe(`${reader} ignores "${path}", because the name does not end in ${suffix}`);
    expect(fault?.hint).toBe(`call it "${name}"`);
    expect(found({ storage: { links: [{ path, target: '/dev/null' }] } })).toHaveLength(1);
  });

  it.each([
    '/etc/sysctl.d/99-site.conf',
    '/etc/sysctl.d/README',
    '/etc/sysctl.d/99-site.conf.disabled',
    '/etc/crio/crio.conf.d/01-workload-partitioning',
    '/etc/modules-load.d/sctp-load.conf',
    '/etc/systemd/network/10-interface-8086-12d3.link',
    '/etc/systemd/system/crio-.scope.d/order.conf',
    '/etc/systemd/system/site.service',
    '/etc/udev/rules.d/99-site.rules',
    '/etc/nmstate/nmstate.conf',
    '/etc/nmstate/001-site.yml',
    '/etc/docker/certs.d/.create',
    '/etc/chrony.conf',
    '/etc/kubernetes/openshift-workload-pinning',
  ])('%s is read, or intended', (path) => {
    expect(found(files({ path }))).toEqual([]);
  });

  it('a file that a program gets by its path', () => {
    const contents = '[Service]\nExecStart=/usr/sbin/sysctl -p /etc/sysctl.d/site\n';
    const systemd = { units: [{ name: 'a.service', contents }] };
    expect(found({ storage: { files: [{ path: '/etc/sysctl.d/site' }] }, systemd })).toEqual([]);
  });
});

describe('files of nmstate-configuration.service', () => {
  const only = (path: string, host: string): string =>
    `storage.files[0].path: nmstate-configuration.service does not read "${path}", only cluster.yml and ${host}.yml in /etc/nmstate/openshift`;
  const named = { hostname: 'site1.example.com' };

  it.each<readonly [string, ReaderFacts, string]>([
    ['/etc/nmstate/openshift/cluster.yaml', {}, '<short host name>'],
    ['/etc/nmstate/openshift/site2.yml', named, 'site1'],
    ['/etc/nmstate/openshift/site1.example.com.yml', named, 'site1'],
    ['/etc/nmstate/openshift/site1/cluster.yml', {}, '<short host name>'],
  ])('%s', (path, facts, host) => {
    expect(found(files({ path }), facts)).toEqual([only(path, host)]);
  });

  it.each<readonly [string, ReaderFacts]>([
    ['/etc/nmstate/openshift/cluster.yml', named],
    ['/etc/nmstate/openshift/site1.yml', named],
    ['/etc/nmstate/openshift/site7.yml', {}],
  ])('%s is read', (path, facts) => {
    expect(found(files({ path }), facts)).toEqual([]);
  });

  it('before 4.16', () => {
    expect(found(files({ path: '/etc/nmstate/openshift/cluster.yml' }), { readsBridgeFiles: false })).toEqual(
      [
        'storage.files[0].path: nothing reads "/etc/nmstate/openshift/cluster.yml": nmstate-configuration.service came with OpenShift 4.16',
      ],
    );
  });
});

describe('network states', () => {
  const bridge = 'interfaces: [{name: br-ex, type: ovs-interface}]\n';
  const urls = (text: string): readonly string[] => [
    `data:,${encodeURIComponent(text)}`,
    `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`,
    `data:;base64,${Buffer.from(text).toString('base64')}`,
    `data:text/plain;charset=utf-8;base64,${Buffer.from(text).toString('base64')}`,
  ];
  const inFolder = (path: string, text: string): readonly string[] => [
    ...new Set(urls(text).flatMap((source) => found(files({ path, contents: { source } })))),
  ];
  const cluster = '/etc/nmstate/openshift/cluster.yml';
  const own = '/etc/nmstate/10-site.yml';

  it.each([
    [cluster, '', 'is empty'],
    [own, '\n', 'is empty'],
    [cluster, 'interfaces: [\n', 'is not YAML: a bracket of this line is not closed'],
    [own, '- name: eno1\n', 'is not a network state'],
    [own, `${bridge}interface: []\n`, 'has the unknown field "interface", so nmstatectl applies none of it'],
    [
      cluster,
      'interfaces: [{name: eno1, type: ethernet}]\n',
      'describes no interface br-ex, which OVN-Kubernetes needs: configure-ovs.sh makes none if the file exists',
    ],
  ])('%s with %j', (path, text, want) => {
    expect(inFolder(path, text)).toEqual([`storage.files[0].contents.source: "${path}" ${want}`]);
  });

  it.each([
    [cluster, bridge],
    [own, 'interfaces: [{name: eno1, type: ethernet}]\n'],
    [own, `---\n${bridge}routes: {config: []}\novs-db: {}\n`],
    [own, 'capture: {a: interfaces.type == "ethernet"}\ndesired: {interfaces: []}\n'],
    ['/etc/nmstate/nmstate.conf', '[service]\nkeep_state_file_after_apply = true\n'],
    ['/etc/nmstate/10-site.yml.off', 'interfaces: [\n'],
  ])('%s with %j is right', (path, text) => {
    expect(inFolder(path, text)).toEqual([]);
  });
});

describe('modes', () => {
  const script = '/etc/NetworkManager/dispatcher.d/99-site';
  const ignores = 'NetworkManager ignores the dispatcher script, because';

  it.each([
    [{ path: script }, [`storage.files[0].mode: ${ignores} it is not executable`]],
    [{ path: script, mode: 0o775 }, [`storage.files[0].mode: ${ignores} others than root can write it`]],
    [
      { path: script, mode: 0o755, user: { name: 'core' } },
      [`storage.files[0].user: ${ignores} it does not belong to root`],
    ],
    [{ path: script, mode: 0o755 }, []],
    [{ path: '/etc/NetworkManager/dispatcher.d/pre-up.d/10-a.sh', mode: 0o700 }, []],
    [
      { path: '/etc/sudoers.d/site.conf', mode: 0o440 },
      [
        'storage.files[0].path: sudo ignores "/etc/sudoers.d/site.conf", because the name contains "." or ends in "~"',
      ],
    ],
    [
      { path: '/etc/sudoers.d/site', mode: 0o666 },
      ['storage.files[0].mode: sudo ignores "/etc/sudoers.d/site", because others than root can write it'],
    ],
    [{ path: '/etc/sudoers.d/site', mode: 0o440 }, []],
    [{ path: '/etc/sudoers.d/site' }, []],
  ])('%j', (file, want) => {
    expect(found(files(file))).toEqual(want);
  });
});
