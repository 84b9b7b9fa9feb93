import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readReport, reportFormat, resultOf, writeReport } from '../../../scripts/acceptance/report.mjs';
import { redactor } from '../../../scripts/acceptance/secrets.mjs';
import { recordsOf, runSteps, type Step, type StepRecord } from '../../../scripts/acceptance/steps.mjs';
import { scratchFolder } from '../../support/scratch.js';
import { seededRsaKey } from '../../support/seeded-keys.js';

const report = {
  format: reportFormat,
  release: '4.22.3',
  inputs: 'abc',
  versions: { 'sno-install': '0.1.0' },
  options: { reboot: 'false' },
};

const records: readonly StepRecord[] = [
  {
    name: 'boot',
    title: 'Start the machine',
    state: 'passed',
    findings: [],
    startedAt: '2026-01-02T03:04:05.000Z',
    seconds: 59,
    facts: { machine: 'site1' },
  },
  {
    name: 'check',
    title: 'Check the cluster',
    state: 'failed',
    findings: ['operator etcd: Degraded is True: a | b\n# c'],
    startedAt: '2026-01-02T03:05:05.000Z',
    seconds: 61,
  },
  { name: 'reboot', title: 'Reboot the node', state: 'not run', findings: [] },
];

function written(
  steps: readonly StepRecord[],
  redact = (text: string): string => text,
): Readonly<Record<string, string>> {
  const folder = scratchFolder();
  writeReport(folder, { ...report, result: resultOf(steps), steps }, redact);
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

describe('the report of an acceptance', () => {
  test('is JSON, and a page with one line for each finding', () => {
    const files = written(records);
    expect(Object.keys(files)).toEqual(['acceptance-4.22.3.json', 'acceptance-4.22.3.md']);
    expect(JSON.parse(files['acceptance-4.22.3.json'] ?? '')).toEqual({
      ...report,
      result: 'failed',
      steps: records,
    });
    expect(files['acceptance-4.22.3.md']).toBe(`# Acceptance of 4.22.3: failed

| step | result | took | started |
| --- | --- | --- | --- |
| Start the machine | passed | 59 s | 2026-01-02T03:04:05.000Z |
| Check the cluster | failed | 1 min 1 s | 2026-01-02T03:05:05.000Z |
| Reboot the node | not run |  |  |

## Findings

- Check the cluster: operator etcd: Degraded is True: a \\| b # c

## Versions and facts

| name | value |
| --- | --- |
| sno-install | 0.1.0 |
| reboot | false |
| machine | site1 |
`);
  });

  test('contains no secret of the site, and nothing in the form of one', () => {
    const site = scratchFolder();
    const words = {
      auth: Buffer.from('robot:canary-of-the-registry').toString('base64'),
      registry: 'canary-of-the-registry',
      proxy: 'canary-of-the-proxy',
      kubeadmin: 'canary-of-kubeadmin',
      key: 'Y2FuYXJ5LW9mLXRoZS1rdWJlY29uZmln',
      token: 'sha256~canary-of-a-user',
      jwt: 'eyJhbGciOiJSUzI1NiJ9.eyJjYW5hcnkiOiJqd3QifQ.c2lnbmF0dXJl',
      bearer: 'canary.of.a.request',
      pem: seededRsaKey('acceptance', 2048),
    };
    writeFileSync(
      join(site, 'install-config.yaml'),
      `proxy: { httpProxy: "http://user:${words.proxy}@proxy:3128" }\npullSecret: '{"auths":{"quay.io":{"auth":"${words.auth}"}}}'\n`,
    );
    mkdirSync(join(site, 'auth'));
    writeFileSync(join(site, 'auth/kubeadmin-password'), words.kubeadmin);
    writeFileSync(join(site, 'auth/kubeconfig'), `users: [{ user: { client-key-data: ${words.key} } }]\n`);
    const found = Object.entries(words).map(([name, word]) =>
      name === 'bearer' ? `GET /: Bearer ${word}` : `${name} is ${word}`,
    );
    const facts = { [words.registry]: words.token };
    const files = written(
      [{ name: 'check', title: words.kubeadmin, state: 'failed', findings: found, facts }],
      redactor(site),
    );
    for (const [name, text] of Object.entries(files))
      for (const [kind, word] of Object.entries(words))
        for (const line of word.split('\n').filter((each) => each.length > 7))
          expect({ name, kind, isPresent: text.includes(line) }).toEqual({ name, kind, isPresent: false });
  });

  test('is read again to resume, and only as a report', () => {
    const folder = scratchFolder();
    expect(readReport(folder)).toBeUndefined();
    writeReport(folder, { ...report, result: 'failed', steps: records }, (text) => text);
    expect(readReport(folder)).toEqual({ ...report, result: 'failed', steps: records });
    writeFileSync(join(folder, 'acceptance-4.21.0.json'), '{}');
    expect(() => readReport(folder)).toThrow('several reports');
  });
});

describe('the steps of an acceptance', () => {
  const clock = { nowMs: () => 0, present: () => new Date(0), onChange: () => undefined };

  function step(name: string, findings: readonly string[] = [], more: Partial<Step> = {}): Step {
    return { name, title: name, timeoutMs: 60_000, run: () => Promise.resolve({ findings }), ...more };
  }

  async function states(steps: readonly Step[], earlier?: readonly StepRecord[]): Promise<readonly string[]> {
    const made = recordsOf(steps, earlier);
    await runSteps(steps, { ...clock, records: made });
    return made.map(({ name, state, findings }) => [name, state, ...findings].join(' '));
  }

  test('continue after a failed check, and stop after another failed step', async () => {
    const steps = [
      step('boot'),
      step('gather', ['no ssh'], { isCheck: true, afterFailure: 'boot' }),
      step('install', ['timed out']),
      step('bundle', [], { afterFailure: 'boot' }),
      step('check', [], { afterFailure: 'install' }),
      step('worker', [], { isSkipped: true }),
    ];
    expect(await states(steps)).toEqual([
      'boot passed',
      'gather failed no ssh',
      'install failed timed out',
      'bundle passed',
      'check not run',
      'worker skipped',
    ]);
  });

  test('report an error and a time limit', async () => {
    const never = new Promise<never>(() => undefined);
    const steps = [
      step('one', [], { isCheck: true, run: () => Promise.reject(new Error('virsh is not installed')) }),
      step('two', [], { isCheck: true, timeoutMs: 1, run: () => never }),
    ];
    // The timer of a signal does not keep a process alive.
    const alive = setInterval(() => undefined, 1000);
    expect(await states(steps)).toEqual([
      'one failed virsh is not installed',
      'two failed two took longer than 0 minutes',
    ]);
    clearInterval(alive);
  });

  test('that passed in an earlier run do not run again', async () => {
    const earlier = [
      { name: 'boot', title: 'boot', state: 'passed', findings: [] },
      { name: 'install', title: 'install', state: 'failed', findings: ['timed out'] },
    ];
    const boot = step('boot', ['the machine exists']);
    expect(await states([boot, step('install')], earlier)).toEqual(['boot passed', 'install passed']);
  });
});
