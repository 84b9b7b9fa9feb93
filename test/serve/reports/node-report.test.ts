import { describe, expect, test } from 'vitest';

import { siteRow } from '../../../src/serve/page/site-row.js';
import { isFailing, parseReport } from '../../../src/serve/reports/node-report.js';

const now = new Date('2026-11-22T12:00:00Z');
const at = '2026-11-22T11:59:00Z';
const entry = { service: 'bootkube', stage: 'mco-bootstrap', phase: 'stage start', at };
const read = { service: 'bootkube', stage: 'mco-bootstrap', event: 'started', at };
const report = (stages: readonly object[], more: object = {}) => ({ system: 'live', stages, ...more });

describe('a report', () => {
  test.each([
    { name: 'no object', given: 'live' },
    { name: 'nothing', given: undefined },
    { name: 'another system', given: { system: 'aio', stages: [] } },
  ])('is none: $name', ({ given }) => {
    expect(parseReport(given, now)).toBeUndefined();
  });

  test.each([
    { name: 'a stage', given: entry, want: [read] },
    {
      name: 'a service without a stage',
      given: { ...entry, stage: undefined, phase: 'service end' },
      want: [{ service: 'bootkube', event: 'finished', at }],
    },
    {
      name: 'a failure',
      given: { ...entry, phase: 'stage end', result: 'failure' },
      want: [{ ...read, event: 'failed' }],
    },
    { name: 'an unknown service', given: { ...entry, service: 'sshd' }, want: [] },
    { name: 'a stage of the other system', given: { ...entry, stage: 'cluster-complete' }, want: [] },
    { name: 'a stage that is markup', given: { ...entry, stage: '<b>' }, want: [] },
    { name: 'an unknown phase', given: { ...entry, phase: 'stage' }, want: [] },
    { name: 'no time', given: { ...entry, at: 'today' }, want: [] },
    { name: 'a day that there is not', given: { ...entry, at: '2026-13-22T11:59:00Z' }, want: [] },
    { name: 'long ago', given: { ...entry, at: '2026-10-01T00:00:00Z' }, want: [] },
    { name: 'days ahead', given: { ...entry, at: '2026-11-25T00:00:00Z' }, want: [] },
    { name: 'words of a program', given: { ...entry, errorMessage: 'throwaway' }, want: [read] },
  ])('accepts only known names and plausible times: $name', ({ given, want }) => {
    expect(parseReport(report([given]), now)).toEqual({ system: 'live', isComplete: false, stages: want });
  });

  test('keeps the newest eight', () => {
    const stages = Array.from({ length: 20 }, (_, second) => ({
      ...entry,
      at: `2026-11-22T11:58:${10 + second}Z`,
    }));
    const kept = parseReport(report(stages), now)?.stages ?? [];
    expect(kept.map((each) => each.at)).toEqual(stages.slice(12).map((each) => each.at));
  });

  test('only the installed node can be complete', () => {
    expect(parseReport(report([], { complete: true }), now)?.isComplete).toBe(false);
    expect(parseReport({ system: 'node', stages: [], complete: true }, now)?.isComplete).toBe(true);
  });

  test('fails by its last event, unless the service continues without the stage', () => {
    const failing = (stage: string, event: string) => {
      const [phase, result] = event === 'started' ? ['stage start'] : ['stage end', 'failure'];
      const known = parseReport(report([{ ...entry, stage, phase, result }]), now);
      return known !== undefined && isFailing(known);
    };
    expect(failing('mco-bootstrap', 'failed')).toBe(true);
    expect(failing('mco-bootstrap', 'started')).toBe(false);
    expect(failing('resolve-api-url', 'failed')).toBe(false);
  });
});

describe('a site that reports, as a row', () => {
  const visit = { phase: 'waiting', givenBytes: 0, ofBytes: 0 } as const;
  const report = {
    system: 'live',
    isComplete: false,
    stages: [],
    receivedAt: '2026-11-22T12:00:30Z',
  } as const;
  const stage = { service: 'bootkube', stage: 'mco-bootstrap', at } as const;
  const boot = (state: 'booted' | 'ejected', minute: number) => ({
    boot: { state, at: `2026-11-22T12:0${minute}:00Z` },
  });
  test.each([
    { name: 'has booted', given: {}, want: ['installing', 'the live system is running'] },
    {
      name: 'is at a stage',
      given: { report: { ...report, stages: [{ ...stage, event: 'started' }] } },
      want: ['installing', 'bootkube mco-bootstrap started'],
    },
    {
      name: 'failed',
      given: { report: { ...report, stages: [{ ...stage, event: 'failed' }] } },
      want: ['failed', 'bootkube mco-bootstrap failed'],
    },
    {
      name: 'applies its post-install manifests',
      given: {
        report: {
          ...report,
          system: 'node',
          stages: [{ service: 'sno-post-install', stage: 'apply-objects', event: 'started', at }],
        },
      },
      want: ['post-install', 'sno-post-install apply-objects started'],
    },
    {
      name: 'failed to apply its post-install manifests',
      given: {
        report: {
          ...report,
          system: 'node',
          stages: [
            { service: 'sno-post-install', stage: 'apply-objects', event: 'started', at },
            { service: 'sno-post-install', stage: 'apply-objects', event: 'failed', at },
          ],
        },
      },
      want: ['failed', 'sno-post-install apply-objects failed'],
    },
    {
      name: 'waits for its cluster before its post-install manifests',
      given: {
        report: {
          ...report,
          system: 'node',
          stages: [
            { service: 'sno-post-install', stage: 'wait-for-cluster', event: 'started', at },
            { service: 'bootkube', stage: 'api', event: 'started', at },
          ],
        },
      },
      want: ['installing', 'bootkube api started'],
    },
    {
      name: 'is complete',
      given: { report: { ...report, system: 'node', isComplete: true } },
      want: ['ready', 'the cluster is complete'],
    },
    {
      name: 'was started before',
      given: { finding: boot('booted', 0) },
      want: ['installing', 'the live system is running'],
    },
    {
      name: 'was started again since',
      given: { finding: boot('booted', 1) },
      want: ['booted', 'booted from its medium'],
    },
    {
      name: 'lost its medium since',
      given: { finding: boot('ejected', 1) },
      want: ['installing', 'medium ejected'],
    },
  ] as const)('$name', ({ given, want }) => {
    const { phase, word } = siteRow(
      {
        name: 'north-1',
        hasOutputs: true,
        visit,
        finding: {},
        report: report,
        ...given,
      },
      new Date(0),
    );
    expect([phase, word]).toEqual(want);
  });
});
