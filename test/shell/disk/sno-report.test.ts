import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';

import { emptyMachine, type Machine } from './machine.js';

const script = 'sno-report.sh';
const token = 'ThrowawayTokenOfATest';

/** A machine with reporting enabled and records of two services. One record contains output of a program. */
function reportingMachine(): Machine {
  const machine = emptyMachine();
  machine.write(`usr/local/bin/${script}`, '');
  copyFileSync('templates/report/usr/local/bin/sno-report.sh', join(machine.root, 'usr/local/bin', script));
  machine.write('opt/openshift/report-secret', `${token}\n`);
  machine.write('opt/openshift/report-url', 'https://boot.example.com:8443/report\n');
  machine.write('opt/openshift/sno-install.env', '');
  record(machine, 'release-image', [
    { timestamp: '2026-01-02T03:01:00Z', phase: 'service start' },
    { timestamp: '2026-01-02T03:02:00Z', phase: 'stage start', stage: 'pull-release-image' },
  ]);
  record(machine, 'bootkube', [
    {
      timestamp: '2026-01-02T03:03:00Z',
      stage: 'mco-bootstrap',
      phase: 'stage end',
      result: 'failure',
      errorLine: '12 main bootkube.sh',
      errorMessage: 'password=throwaway',
    },
  ]);
  record(machine, 'progress', [{ timestamp: '2026-01-02T03:04:00Z', phase: 'service start' }]);
  return machine;
}

function record(machine: Machine, service: string, entries: readonly object[]): void {
  machine.write(`var/log/openshift/${service}.json`, JSON.stringify(entries));
}

const wantedStages = [
  { service: 'release-image', phase: 'service start', at: '2026-01-02T03:01:00Z' },
  {
    service: 'release-image',
    stage: 'pull-release-image',
    phase: 'stage start',
    at: '2026-01-02T03:02:00Z',
  },
  {
    service: 'bootkube',
    stage: 'mco-bootstrap',
    phase: 'stage end',
    result: 'failure',
    at: '2026-01-02T03:03:00Z',
  },
];

function reportOf(machine: Machine): unknown {
  return JSON.parse(machine.read('run/sno-report/report.json'));
}

describeWith(['bash', 'jq'], script, () => {
  test('sends names, times and results, but no output of programs', () => {
    const machine = reportingMachine();
    machine.killAt('sleep');
    expect(machine.run(script, { args: ['live'] }).signal).toBe('SIGKILL');
    expect(reportOf(machine)).toEqual({ system: 'live', complete: false, stages: wantedStages });
    expect(machine.calls('curl')).toHaveLength(1);
    expect(machine.calls('curl').join('\n')).not.toContain(token);
    expect(machine.read('run/sno-report/curl.conf')).toBe(
      `header = "Authorization: Bearer ${token}"\nurl = "https://boot.example.com:8443/report"\n`,
    );
    expect(machine.modeOf('run/sno-report')).toBe('700');
    expect(machine.modeOf('run/sno-report/curl.conf')).toBe('600');
  });

  test('reports a running system at a boot without a record', () => {
    const machine = reportingMachine();
    rmSync(join(machine.root, 'var/log/openshift'), { recursive: true });
    machine.killAt('sleep');
    machine.run(script, { args: ['node'] });
    expect(reportOf(machine)).toEqual({ system: 'node', complete: false, stages: [] });
  });

  test('continues while the server does not answer, and logs it once', () => {
    const machine = reportingMachine();
    machine.fail('curl', 2);
    machine.killAt('sleep', 3);
    const { stderr } = machine.run(script, { args: ['live'] });
    expect(machine.calls('curl').length).toBeGreaterThan(2);
    expect(stderr.match(/the report could not be sent/g)).toHaveLength(1);
    expect(stderr).toContain('the report server answers again\n');
    expect(stderr).not.toContain(token);
  });

  test('continues after the clean-up of the installation until the post-install manifests are applied', () => {
    const machine = reportingMachine();
    rmSync(join(machine.root, 'opt/openshift'), { recursive: true });
    rmSync(join(machine.root, 'var/log/openshift'), { recursive: true });
    const kept = 'opt/sno-post-install';
    machine.write(`${kept}/report-secret`, `${token}\n`);
    machine.write(`${kept}/report-url`, 'https://boot.example.com:8443/report\n');
    machine.write(`${kept}/objects.tsv`, '# wave\tfile\n');
    const applying = { timestamp: '2026-01-02T03:05:00Z', phase: 'stage start', stage: 'apply-objects' };
    machine.write(`${kept}/records/sno-post-install.json`, JSON.stringify([applying]));
    machine.killAt('sleep');
    machine.run(script, { args: ['node'] });
    const { timestamp: at, phase, stage } = applying;
    const stages = [{ service: 'sno-post-install', stage, phase, at }];
    expect(reportOf(machine)).toEqual({ system: 'node', complete: false, stages });
    expect(machine.read('run/sno-report/curl.conf')).toContain(`Bearer ${token}`);

    rmSync(join(machine.root, kept, 'objects.tsv'));
    expect(machine.run(script, { args: ['node'] }).status).toBe(0);
    expect(reportOf(machine)).toEqual({ system: 'node', complete: true, stages });
  });

  test('sends its last report after the clean-up removed all files, and ends', () => {
    const machine = reportingMachine();
    machine.killAt('sleep');
    machine.run(script, { args: ['node'] });
    rmSync(join(machine.root, 'opt/openshift/sno-install.env'));
    const { status } = machine.run(script, { args: ['node'] });
    expect(status).toBe(0);
    expect(reportOf(machine)).toEqual({ system: 'node', complete: true, stages: wantedStages });
  });
});
