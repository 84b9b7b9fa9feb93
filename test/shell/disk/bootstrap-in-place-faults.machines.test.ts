import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { bootstrapImages, masterConfig } from './machine-files.js';
import { carriedFiles } from './node-files.js';
import { liveMachine, type Machine } from './machine.js';
import { readIgnition } from './read-ignition.js';
import { script, home, answerWith } from './bootstrap-in-place.js';

const mcs = 'the machine-config server gives no usable config for the master';

describeWith(['bash', 'jq', 'tar'], 'a fault before the disk is written', () => {
  test.each<{ name: string; given: (machine: Machine) => void; want: string; stage: string }>([
    {
      name: 'the machine-config server answers 500',
      given: (machine) => {
        machine.fail('curl', 'always');
      },
      want: `${mcs}: curl: (22) The requested URL returned error: 500`,
      stage: 'fetch-master-ignition failure',
    },
    {
      name: 'the machine-config server answers HTML',
      given: (machine) => {
        machine.answer('curl', '<html><body>503 Service Unavailable</body></html>');
      },
      want: `${mcs}: the answer is not an Ignition config`,
      stage: 'fetch-master-ignition failure',
    },
    {
      name: 'the API server does not stop',
      given: (machine) => {
        machine.answer(
          'crictl-ps',
          JSON.stringify({ containers: [{ metadata: { name: 'kube-apiserver' } }] }),
        );
      },
      want: 'the API server of the bootstrap does not stop',
      stage: 'etcd-snapshot failure',
    },
    {
      name: 'CRI-O does not answer',
      given: (machine) => {
        machine.fail('crictl', 'always');
      },
      want: 'the API server of the bootstrap does not stop',
      stage: 'etcd-snapshot failure',
    },
    {
      name: 'etcd has two members',
      given: (machine) => {
        const members = [1, 2].map((n) => ({
          name: `etcd-${n}`,
          peerURLs: [`https://192.168.126.1${n}:2380`],
        }));
        machine.answer('etcd-member-list', JSON.stringify({ members }));
      },
      want: 'etcd does not have exactly one member with a name and one peer URL',
      stage: 'etcd-snapshot failure',
    },
    {
      name: 'the snapshot is older than the last revision of etcd',
      given: (machine) => {
        machine.answer('etcd-snapshot-status', '{"hash":1,"revision":4700,"totalKey":812,"totalSize":19}');
      },
      want:
        'the snapshot of etcd is empty or older than revision 4711: ' +
        '{"hash":1,"revision":4700,"totalKey":812,"totalSize":19}',
      stage: 'etcd-snapshot failure',
    },
    {
      name: 'the snapshot is from an empty etcd',
      given: (machine) => {
        machine.answer('etcd-endpoint-status', '[{"Status":{"header":{"revision":1}}}]');
        machine.answer('etcd-snapshot-status', '{"hash":1,"revision":1,"totalKey":4,"totalSize":19}');
      },
      want:
        'the snapshot of etcd is empty or older than revision 1: ' +
        '{"hash":1,"revision":1,"totalKey":4,"totalSize":19}',
      stage: 'etcd-snapshot failure',
    },
    {
      name: 'a file of node-files.list is missing',
      given: (machine) => {
        machine.write(
          'opt/openshift/bootstrap-in-place/node-files.list',
          'keep 0600 openshift/nothing /nothing\n',
        );
      },
      want: 'a file that the installed node starts from is missing',
      stage: 'master-ignition failure',
    },
  ])('stops and shows the fault on the console: $name', ({ given, want, stage }) => {
    const machine = liveMachine();
    given(machine);
    expect(machine.run(script, { args: bootstrapImages }).status).toBe(1);
    expect(machine.console()).toBe(`The installation cannot go on, the disk is untouched: ${want}\n`);
    expect(machine.stages('bootstrap-in-place').at(-1)).toBe(stage);
    expect(machine.has(`${home}/master.ign`)).toBe(false);
  });

  test('rejects an address other than the configured one', () => {
    const machine = liveMachine({ nodeIP: '192.168.126.11' });
    expect(machine.run(script, { args: bootstrapImages }).status).toBe(1);
    expect(machine.console()).toBe(
      'The installation cannot go on, the disk is untouched: ' +
        'etcd runs as https://192.168.126.10:2380, but the configuration says https://192.168.126.11:2380\n',
    );
  });

  test('reports an etcd container that does not stop, and ignores containers with similar names', () => {
    const machine = liveMachine();
    machine.answer('crictl-ps', JSON.stringify({ containers: [{ metadata: { name: 'guard-etcd-host' } }] }));
    expect(machine.run(script, { args: bootstrapImages }).status).toBe(0);
    const stuck = liveMachine();
    stuck.answer('crictl-ps', JSON.stringify({ containers: [{ metadata: { name: 'etcd' } }] }));
    expect(stuck.run(script, { args: bootstrapImages }).status).toBe(1);
    expect(stuck.stages('bootstrap-in-place')).toEqual(['etcd-snapshot success', 'stop-etcd failure']);
  });

  test('after a timeout, the next start continues at the same step', () => {
    const machine = liveMachine();
    machine.fail('curl', 2);
    expect(machine.run(script, { args: bootstrapImages }).status).toBe(1);
    machine.forgetCalls();
    expect(machine.run(script, { args: bootstrapImages }).status).toBe(0);
    expect(machine.calls('podman').filter((call) => call.includes('snapshot'))).toEqual([]);
    expect(machine.console()).toBe('');
  });
});

describeWith(['bash', 'jq', 'tar'], 'the output of cluster-bootstrap', () => {
  test('every fault is reported', () => {
    const machine = liveMachine();
    machine.run(script, { args: bootstrapImages });
    const faults = [
      ['', ''],
      ['.ignition.version = "3.4.0"', 'it is of version 3.4.0'],
      ['.ignition.config = {}', 'it does not hold the config of the master'],
      ['.storage.files[0].mode = 420', 'its files or their modes are not those asked for'],
      ['del(.storage.files[3])', 'its files or their modes are not those asked for'],
      ['.storage.files += [.storage.files[0]]', 'it names a file twice'],
      ['.storage.directories[4].mode = 493', 'its folders are not those asked for'],
      ['.systemd.units |= .[1:]', 'its units are not those asked for'],
    ] as const;
    const conflict = { path: '/etc/kubernetes/manifests/etcd-pod.yaml', contents: { source: 'data:,' } };
    machine.write('taken-1-path', answerWith({ storage: { files: [conflict] } }));
    machine.write('taken-2-folder', answerWith({ storage: { directories: [{ path: '/opt/openshift' }] } }));
    machine.write(
      'taken-3-link',
      answerWith({ storage: { links: [{ path: '/etc/kubernetes/manifests/etcd-pod.yaml', target: '/' }] } }),
    );
    machine.write('taken-4-unit', answerWith({ systemd: { units: [{ name: 'bootkube.service' }] } }));
    const given = faults.map(([filter]) => filter).join('\n');
    const { stdout } = machine.source('sno-master-ignition.sh', checkEach, { FILTERS: given });
    const wants = [
      ...faults.map(([, want]) => want),
      ...Array<string>(3).fill('the config of the master writes the same paths'),
      'the config of the master has units of the same name',
    ];
    expect(stdout.split('\n').slice(0, -1)).toEqual(
      wants.map((want) => (want === '' ? '' : `the node's Ignition config cannot be used: ${want}`)),
    );
  });

  test('rejects a config that is too large for the boot partition, and one that is not JSON', () => {
    const machine = liveMachine();
    machine.write('master.ign', 'x'.repeat(1_100_000));
    const check = 'check_master_ignition "${SNO_ROOT}/master.ign" || true';
    const tooBig = machine.source('sno-master-ignition.sh', check, { SNO_MASTER_IGNITION_LIMIT_MIB: '1' });
    expect(tooBig.stdout).toBe(
      "the node's Ignition config takes 1 MiB; the boot partition has room for 1 MiB\n",
    );
    const notJson = machine.source('sno-master-ignition.sh', check);
    expect(notJson.stdout).toBe("the node's Ignition config cannot be used: it is not JSON\n");
  });
});

/** Changes the config with each jq filter and prints the result of the check, one line each. */
const checkEach = `while IFS= read -r filter; do
  jq "\${filter:-.}" "\${master_ignition}" >"\${master_ignition}.x"
  echo "$(check_master_ignition "\${master_ignition}.x" || true)"
done <<<"\${FILTERS}"
for master_config in "\${SNO_ROOT}"/taken-*; do
  echo "$(check_master_ignition "\${master_ignition}" || true)"
done`;

describeWith(['bash', 'jq', 'tar'], 'the response of the machine-config server', () => {
  test.each([
    { name: 'a config', given: JSON.stringify(masterConfig), want: '' },
    { name: 'Ignition 3.0', given: answerWith({ ignition: { version: '3.0.0' } }), want: '' },
    {
      name: 'HTML',
      given: '<html><body>503 Service Unavailable</body></html>',
      want: 'the answer is not an Ignition config',
    },
    {
      name: 'Ignition 3.4',
      given: answerWith({ ignition: { version: '3.4.0' } }),
      want: 'the answer is an Ignition config of version 3.4.0, but 3.2.0 was asked for',
    },
    {
      name: 'Ignition 2.2',
      given: answerWith({ ignition: { version: '2.2.0' } }),
      want: 'the answer is an Ignition config of version 2.2.0, but 3.2.0 was asked for',
    },
    { name: 'nothing', given: '', want: 'the answer is empty' },
    {
      name: 'JSON that is no Ignition config',
      given: '[1, 2]',
      want: 'the answer is not an Ignition config',
    },
    {
      name: 'a number as the version',
      given: '{"ignition":{"version":3}}',
      want: 'the answer is not an Ignition config',
    },
    {
      name: 'no files',
      given: answerWith({ storage: {} }),
      want: 'the answer has no files or no units: the machine-config operator may not have finished',
    },
    {
      name: 'no units',
      given: answerWith({ systemd: { units: [] } }),
      want: 'the answer has no files or no units: the machine-config operator may not have finished',
    },
  ])('$name', ({ given, want }) => {
    const machine = liveMachine();
    machine.write('answer', given);
    const { stdout } = machine.source(
      'sno-master-ignition.sh',
      'check_master_config "${SNO_ROOT}/answer" || true',
    );
    expect(stdout.trimEnd()).toBe(want);
  });
});

describeWith(['bash', 'jq', 'tar'], 'a kill', () => {
  const calls = [
    'podman-run-example.com_ocp_etcd_test-snapshot-save-_snapshot_snapshot.db',
    'curl',
    'podman-run-example.com_ocp_cluster-bootstrap_test-bootstrap-in-place',
  ];
  test.each(calls)('at %s: the next start completes the work', (name) => {
    const machine = liveMachine();
    machine.killAt(name);
    expect(machine.run(script, { args: bootstrapImages }).signal).toBe('SIGKILL');
    expect(machine.run(script, { args: bootstrapImages }).status).toBe(0);
    const { files } = readIgnition(machine.read(`${home}/master.ign`));
    expect(files.map(({ path, mode, text }) => [mode.toString(8), path, text])).toEqual(
      carriedFiles(machine).map(({ path, mode, source }) => [mode, path, readFileSync(source, 'latin1')]),
    );
  });
});
