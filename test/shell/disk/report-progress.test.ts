import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';

import { liveMachine, type Machine } from './machine.js';

const script = 'report-progress.sh';

function record(
  machine: Machine,
  service: string,
  entries: readonly (readonly [string, string, string?])[],
): void {
  const written = entries.map(([time, stage, result]) => ({
    timestamp: `2026-01-02T03:${time}Z`,
    ...(stage === ''
      ? { phase: 'service start' }
      : { stage, phase: result === undefined ? 'stage start' : 'stage end' }),
    ...(result !== undefined && { result }),
  }));
  machine.write(`var/log/openshift/${service}.json`, JSON.stringify(written));
}

function progressOf(machine: Machine): string {
  return machine.read('etc/issue.d/30_progress.issue');
}

describeWith(['bash', 'jq'], 'report-progress.sh', () => {
  test('shows the newest stage of all services, without the wait of install-to-disk', () => {
    const machine = liveMachine();
    record(machine, 'release-image', [
      ['01:00', ''],
      ['01:01', 'pull-release-image'],
      ['02:00', 'pull-release-image', 'success'],
    ]);
    record(machine, 'bootkube', [
      ['03:00', ''],
      ['04:00', 'etcd-bootstrap'],
    ]);
    record(machine, 'install-to-disk', [
      ['03:30', ''],
      ['05:00', 'wait-for-bootkube'],
    ]);
    record(machine, 'progress', [['06:00', 'report-progress']]);
    machine.killAt('sleep');
    expect(machine.run(script, { args: ['/kubeconfig'] }).signal).toBe('SIGKILL');
    expect(progressOf(machine)).toBe(
      'Single-node OpenShift sno.example.com: bootkube etcd-bootstrap stage start 2026-01-02T03:04:00Z\n',
    );
  });

  test('shows a start line before the first record, and skips a partly written one', () => {
    const machine = liveMachine();
    machine.write('var/log/openshift/bootkube.json', '[{"phase":"servi');
    machine.killAt('sleep');
    machine.run(script);
    expect(progressOf(machine)).toBe('Single-node OpenShift sno.example.com: the installation starts\n');
  });

  test('stores the answer of the API server every two minutes', () => {
    const machine = liveMachine();
    machine.answer('oc-get-secrets', 'openshift-config pull-secret\n');
    machine.killAt('sleep', 2);
    machine.run(script);
    expect(machine.read('run/sno-install/api-resources/secrets.names')).toBe(
      'openshift-config pull-secret\n',
    );
    expect(machine.modeOf('run/sno-install/api-resources')).toBe('700');
    const requests = machine.calls('oc').filter((call) => call.includes('--raw=/readyz'));
    // The clock advances 1000 s between two rounds.
    expect(requests.length).toBe(3);
  });

  test('ends when the disk is written', () => {
    const machine = liveMachine();
    machine.write('opt/openshift/.install-to-disk.done', '');
    expect(machine.run(script).status).toBe(0);
    expect(progressOf(machine)).toBe(
      'Single-node OpenShift sno.example.com: is written to the disk; the machine reboots\n',
    );
  });
});
