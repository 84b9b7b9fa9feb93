import { describe, expect, it } from 'vitest';

import { waitProgress } from '../../../src/cli/wait/wait-for.js';
import type { Fault, FaultKind } from '../../../src/remote/kubernetes/request-fault.js';
import { bootstrapComplete } from '../../../src/remote/kubernetes/goals/bootstrap-complete.js';
import { installComplete } from '../../../src/remote/kubernetes/goals/install-complete.js';
import { waitFor, type WaitResult, type Goal } from '../../../src/remote/kubernetes/wait.js';
import { clusterVersion, condition, fakeCluster, refused, type Step } from './fake-cluster.js';

interface WaitRecord {
  readonly outcome: WaitResult;
  /** Log lines. */
  readonly lines: readonly string[];
  readonly requestTimes: readonly number[];
}

async function recordWait(goal: Goal, timeoutSeconds: number, steps: readonly Step[]): Promise<WaitRecord> {
  const { reader, clock, requestTimes } = fakeCluster(steps);
  const lines: string[] = [];
  const screen = { write: (text: string) => void lines.push(text.trimEnd()), columns: 80 };
  const timeoutMs = timeoutSeconds * 1000;
  const { onMoment } = waitProgress('lines', screen);
  const stop = new AbortController().signal;
  const outcome = await waitFor(goal, { reader, clock, timeoutMs, stop, onMoment });
  return { outcome, lines, requestTimes: requestTimes() };
}

const api = 'https://api.site1.example.com:6443';
const complete = { bootstrapConfigMap: { data: { status: 'complete' } } };

describe('a wait', () => {
  it('for the bootstrap explains that the reboot is expected', async () => {
    const { outcome, lines } = await recordWait(bootstrapComplete, 3900, [
      { fromSeconds: 0, fault: { kind: 'unknown-host', detail: 'no such host' } },
      { fromSeconds: 30, fault: refused },
      { fromSeconds: 60, fault: { kind: 'no-answer', detail: 'no route to host' } },
      { fromSeconds: 300, isOpenShift: false },
      { fromSeconds: 400 },
      { fromSeconds: 900, fault: refused },
      { fromSeconds: 1200, fault: { kind: 'no-answer', detail: 'no route to host' } },
      { fromSeconds: 1800, fault: { kind: 'error-answer', detail: 'HTTP 503' } },
      { fromSeconds: 1815 },
      { fromSeconds: 1900, objects: complete },
    ]);

    expect(lines).toEqual([
      'after 0 s: cannot resolve the host name of the API: no such host; add a DNS record for api.site1.example.com with the address of the node, or add it to /etc/hosts on this machine',
      'after 30 s: the API does not answer: connection refused; expected until the control plane is up',
      'after 5 min: the API answers, but the bootstrap is not complete',
      'after 15 min: the API does not answer: connection refused; expected while the node reboots',
      'after 30 min: the API does not give a valid response: HTTP 503; expected while the node reboots',
      'after 30 min 15 s: the API is back after 15 min 15 s; the API answers, but the bootstrap is not complete',
    ]);
    expect(outcome).toEqual({ kind: 'reached', facts: {}, warnings: [], waitedMs: 1_900_000 });
  });

  it('polls every five seconds, and once more at the timeout', async () => {
    const { outcome, requestTimes } = await recordWait(bootstrapComplete, 12, [
      { fromSeconds: 0, fault: refused },
    ]);

    expect(requestTimes).toEqual([0, 5, 10, 12]);
    expect(outcome).toMatchObject({ kind: 'failed', waitedMs: 12_000 });
  });

  it('succeeds with the last poll', async () => {
    const steps = [
      { fromSeconds: 0, fault: refused },
      { fromSeconds: 12, objects: complete },
    ];
    expect((await recordWait(bootstrapComplete, 12, steps)).outcome.kind).toBe('reached');
  });

  it('polls once with a timeout of zero', async () => {
    const { outcome, requestTimes } = await recordWait(bootstrapComplete, 0, [
      { fromSeconds: 0, objects: complete },
    ]);
    expect([outcome.kind, requestTimes]).toEqual(['reached', [0]]);
  });

  it('fails with a hint if DNS never resolves the name', async () => {
    const fault: Fault = { kind: 'unknown-host', detail: 'no such host' };
    const { outcome } = await recordWait(installComplete, 60, [{ fromSeconds: 0, fault }]);

    expect(outcome).toEqual({
      kind: 'failed',
      waitedMs: 60_000,
      problems: [
        {
          code: 'cluster/unknown-host',
          severity: 'error',
          message: `cannot resolve the host name of ${api}: no such host`,
          hint: 'add a DNS record for api.site1.example.com with the address of the node, or add it to /etc/hosts on this machine',
        },
      ],
    });
  });

  it('stops immediately without a problem', async () => {
    const { reader, clock } = fakeCluster([{ fromSeconds: 0, fault: refused }]);
    const controller = new AbortController();
    const sleeping = {
      ...clock,
      sleep: (durationMs: number, stop: AbortSignal) => {
        controller.abort();
        return clock.sleep(stop.aborted ? 1000 : durationMs, stop);
      },
    };
    const outcome = await waitFor(bootstrapComplete, {
      reader,
      clock: sleeping,
      timeoutMs: 60_000,
      stop: controller.signal,
      onMoment: () => undefined,
    });

    expect(outcome).toEqual({ kind: 'stopped', waitedMs: 1000 });
  });
});

describe('a fault', () => {
  const ends: readonly { kind: FaultKind; afterSeconds: number; code: string }[] = [
    { kind: 'wrong-authority', afterSeconds: 0, code: 'cluster/wrong-authority' },
    { kind: 'wrong-name', afterSeconds: 0, code: 'cluster/wrong-name' },
    { kind: 'certificate-expired', afterSeconds: 0, code: 'cluster/certificate-expired' },
    { kind: 'credentials-expired', afterSeconds: 0, code: 'cluster/credentials-expired' },
    { kind: 'kubeconfig', afterSeconds: 0, code: 'cluster/kubeconfig' },
    { kind: 'unauthorized', afterSeconds: 120, code: 'cluster/unauthorized' },
    { kind: 'forbidden', afterSeconds: 120, code: 'cluster/forbidden' },
    { kind: 'no-answer', afterSeconds: 600, code: 'cluster/no-answer' },
    { kind: 'error-answer', afterSeconds: 600, code: 'cluster/no-answer' },
    { kind: 'unknown-host', afterSeconds: 600, code: 'cluster/unknown-host' },
    { kind: 'clock', afterSeconds: 600, code: 'cluster/clock' },
  ];
  it.each(ends)(
    '$kind ends a wait of 10 minutes after $afterSeconds s',
    async ({ kind, afterSeconds, code }) => {
      const fault: Fault = { kind, detail: 'for a reason' };
      const { outcome } = await recordWait(installComplete, 600, [{ fromSeconds: 0, fault }]);

      expect(outcome).toMatchObject({ kind: 'failed', waitedMs: afterSeconds * 1000, problems: [{ code }] });
      expect(outcome.kind === 'failed' && outcome.problems[0]?.hint).toMatch(/\w/);
    },
  );

  it.each(['unauthorized', 'forbidden'] as const)('%s may pass while the API starts', async (kind) => {
    const fault: Fault = { kind, detail: 'HTTP 401' };
    const { outcome } = await recordWait(bootstrapComplete, 600, [
      { fromSeconds: 0, fault: refused },
      { fromSeconds: 100, fault },
      { fromSeconds: 200, fault: refused },
      { fromSeconds: 210, fault },
      { fromSeconds: 320, objects: complete },
    ]);
    expect(outcome).toMatchObject({ kind: 'reached', waitedMs: 320_000 });
  });

  it('of another kind restarts the retry period; a lasting fault fails the wait', async () => {
    const { outcome } = await recordWait(bootstrapComplete, 600, [
      { fromSeconds: 0, fault: { kind: 'unauthorized', detail: 'HTTP 401' } },
      { fromSeconds: 60, fault: { kind: 'forbidden', detail: 'HTTP 403' } },
    ]);
    expect(outcome).toMatchObject({ waitedMs: 180_000, problems: [{ code: 'cluster/forbidden' }] });
  });

  it('after a good time is one of the API that is away, not of one that never came', async () => {
    const at = (...conditions: readonly object[]) => ({ clusterVersion: clusterVersion(...conditions) });
    const { lines } = await recordWait(installComplete, 60, [
      { fromSeconds: 0, objects: at(condition('Progressing', 'True', 'Working towards 4.18.3')) },
      { fromSeconds: 10, fault: refused },
      { fromSeconds: 30, objects: at(condition('Progressing', 'True', 'Working towards 4.18.3')) },
    ]);
    expect(lines).toEqual([
      'after 0 s: cluster version operator: Working towards 4.18.3',
      'after 10 s: the API does not answer: connection refused; expected while it or the node restarts',
      'after 30 s: the API is back after 20 s; cluster version operator: Working towards 4.18.3',
    ]);
  });
});
