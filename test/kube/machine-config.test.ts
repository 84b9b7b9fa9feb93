import { describe, expect, it } from 'vitest';

import { writeYaml } from '../../src/formats/yaml/write-yaml.js';
import { machineConfig } from '../../src/kube/machine-config.js';

describe('machineConfig', () => {
  it('contains only the given fields', () => {
    expect(writeYaml(machineConfig('worker', '99-worker-fips', { fips: true })))
      .toBe(`apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  labels:
    machineconfiguration.openshift.io/role: worker
  name: 99-worker-fips
spec:
  config:
    ignition:
      version: 3.2.0
  fips: true
`);
  });

  it('carries files, units, users and kernel arguments', () => {
    const given = machineConfig('master', '50-master-all', {
      files: [{ path: '/etc/motd', mode: 0o644, contents: 'hello\n' }],
      units: [{ name: 'a.service', enabled: true, contents: '[Unit]\n' }],
      users: [{ name: 'core', sshAuthorizedKeys: ['ssh-ed25519 AAAA me'] }],
      kernelArguments: ['nosmt'],
    });
    expect(writeYaml(given)).toBe(`apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  labels:
    machineconfiguration.openshift.io/role: master
  name: 50-master-all
spec:
  config:
    ignition:
      version: 3.2.0
    passwd:
      users:
        - name: core
          sshAuthorizedKeys:
            - ssh-ed25519 AAAA me
    storage:
      files:
        - contents:
            source: data:,hello%0A
          mode: 420
          overwrite: true
          path: /etc/motd
          user:
            name: root
    systemd:
      units:
        - contents: |
            [Unit]
          enabled: true
          name: a.service
  kernelArguments:
    - nosmt
`);
  });
});
