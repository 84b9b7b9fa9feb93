import { describe, expect, it, test } from 'vitest';

import { failure } from '../../../src/core/result.js';
import { problem } from '../../../src/core/problem.js';
import { planWaves } from '../../../src/fleet/rollout/plan-waves.js';
import { RolloutStateFault } from '../../../src/fleet/rollout/rollout-progress.js';
import { runRollout } from '../../../src/fleet/rollout/run-rollout.js';
import { hourMs, plainPlan, rollOut, shown, stateIn, world, type World } from './rollout-world.js';

/** Aborts the run at a step of the operation. */
function stopAt(given: World, at: string): AbortSignal {
  const controller = new AbortController();
  given.onStep = (text) => {
    if (text === at) controller.abort();
  };
  return controller.signal;
}

describe('waves', () => {
  it('run one after the other, the canary first', async () => {
    const given = world();
    const end = await rollOut(given, 'a b c1 d h1');
    expect(shown(end)).toBe('complete; canary=done 1=done 2=done; a=done b=done c1=done d=done h1=held');
    expect(given.starts).toEqual(['c1', 'a', 'b', 'd']);
    expect(given.notices).toEqual([
      '12:00 rollout-started',
      '12:00 wave-started canary',
      '12:00 site-started c1',
      '13:01 site-done c1',
      '13:01 wave-done canary',
      '13:01 wave-started 1',
      '13:01 site-started a',
      '13:01 site-started b',
      '14:02 site-done a',
      '14:02 site-done b',
      '14:02 wave-done 1',
      '14:02 wave-started 2',
      '14:02 site-started d',
      '15:03 site-done d',
      '15:03 wave-done 2',
      '15:03 rollout-complete',
    ]);
    expect(stateIn(given)).toEqual(end);
  });

  it('start as many sites at a time as there are jobs', async () => {
    const given = world();
    await rollOut(given, 'a b d', { jobs: 1, plan: { waveSize: () => 3 } });
    const started = given.notices.filter((each) => each.includes('site-started'));
    expect(started).toEqual(['12:00 site-started a', '12:01 site-started b', '12:02 site-started d']);
  });

  it('pause before the next one', async () => {
    const given = world();
    await rollOut(given, 'c1 a', { plan: { pauseMs: hourMs / 2 } });
    expect(given.notices.slice(4, 7)).toEqual([
      '13:01 wave-done canary',
      '13:01 rollout-waiting wave 1 starts on Fri 2026-11-27 13:31 UTC',
      '13:31 wave-started 1',
    ]);
  });
});

describe('failures', () => {
  it('stop the rollout at the limit; started sites are awaited', async () => {
    const given = world();
    given.broken.add('a');
    const end = await rollOut(given, 'c1 a b d', { jobs: 2 });
    expect(shown(end)).toBe(
      'stopped (1 of 2 sites of wave 1 failed; the limit is 1); canary=done 1=failed 2=pending; a=failed b=done c1=done d=pending',
    );
    expect(end.sites.get('a')).toMatchObject({ cause: 'the BMC does not answer', attempts: 1 });
    expect(given.notices).toContain('13:02 site-failed a the BMC does not answer');
    expect(given.notices.slice(-2).map((each) => each.slice(6))).toEqual([
      'wave-failed 1',
      'rollout-stopped 1 1 of 2 sites of wave 1 failed; the limit is 1',
    ]);
  });

  it('start no more sites of the wave', async () => {
    const given = world();
    given.broken.add('a');
    const end = await rollOut(given, 'a b d', { jobs: 1, plan: { waveSize: () => 3 } });
    expect(shown(end)).toMatch(/; 1=failed; a=failed b=pending d=pending$/);
    expect(given.starts).toEqual([]);
  });

  it('below the limit do not stop', async () => {
    const given = world();
    given.stuck.add('a');
    const end = await rollOut(given, 'a b d', { plan: { failureLimit: () => 2 } });
    expect(shown(end)).toBe('complete; 1=done 2=done; a=failed b=done d=done');
    expect(end.sites.get('a')?.finishedAt).toBe('2026-11-27T15:00:00Z');
  });

  it('stop the next run too, which starts nothing', async () => {
    const given = world();
    given.broken.add('a');
    await rollOut(given, 'a b d');
    given.broken.clear();
    given.notices.splice(0);
    const end = await rollOut(given, 'a b d');
    expect(given.notices.map((each) => each.slice(6))).toEqual([
      'rollout-started',
      'rollout-stopped 1 1 of 2 sites of wave 1 failed; the limit is 1',
    ]);
    expect(shown(end)).toMatch(/^stopped .*; a=failed b=done d=pending$/);
    expect(given.starts).toEqual(['b']);
  });

  it('are left behind when they are put on hold', async () => {
    const given = world();
    given.broken.add('a');
    await rollOut(given, 'a b d');
    const end = await rollOut(given, 'a b d', {
      plan: { isHeld: ({ name }) => name === 'a', digest: 'second' },
    });
    expect(shown(end)).toBe('complete; 1=done 2=done; a=failed b=done d=done');
  });

  it('are started again on request, and the rollout goes on', async () => {
    const given = world();
    given.broken.add('a');
    await rollOut(given, 'a b d');
    given.broken.clear();
    const end = await rollOut(given, 'a b d', { retriesFailed: true });
    expect(shown(end)).toBe('complete; 1=done 2=done; a=done b=done d=done');
    expect(end.sites.get('a')).toMatchObject({ attempts: 2 });
    expect(end.sites.get('a')?.cause).toBeUndefined();
    expect(given.starts).toEqual(['b', 'a', 'd']);
  });

  it('of a started site only wait again', async () => {
    const given = world();
    given.stuck.add('a');
    const before = await rollOut(given, 'a');
    expect(shown(before)).toBe('stopped (1 of 1 sites of wave 1 failed; the limit is 1); 1=failed; a=failed');
    given.stuck.clear();
    const end = await rollOut(given, 'a', { retriesFailed: true });
    expect(shown(end)).toBe('complete; 1=done; a=done');
    expect(end.sites.get('a')).toMatchObject({ attempts: 1 });
    expect(given.starts).toEqual(['a']);
    expect(given.notices.filter((each) => each.includes('site-started'))).toHaveLength(1);
  });
});

describe('time windows', () => {
  const windows = [
    { days: ['fri', 'sat'] as const, fromMinute: 22 * 60, toMinute: 60, zone: 'Europe/Berlin' },
  ];
  it('hold starts back, not the waits of started sites', async () => {
    const given = world();
    const end = await rollOut(given, 'c1 a b', { plan: { windows, siteTimeoutMs: 4 * hourMs } });
    expect(shown(end)).toBe('complete; canary=done 1=done; a=done b=done c1=done');
    // The window ends at 00:00 UTC.
    expect(given.notices.filter((each) => !each.includes('done'))).toEqual([
      '12:00 rollout-started',
      '12:00 wave-started canary',
      '12:00 rollout-waiting the time window opens on Fri 2026-11-27 22:00 Europe/Berlin',
      '21:00 site-started c1',
      '22:01 wave-started 1',
      '22:01 site-started a',
      '22:01 site-started b',
      '23:02 rollout-complete',
    ]);
  });

  it('close in the middle of a wave', async () => {
    const given = world('2026-11-27T23:59:30Z');
    await rollOut(given, 'a b', { plan: { windows }, jobs: 1 });
    expect(given.notices.slice(2)).toEqual([
      '23:59 site-started a',
      '00:00 rollout-waiting the time window opens on Sat 2026-11-28 22:00 Europe/Berlin',
      '01:00 site-done a',
      '21:00 site-started b',
      '22:01 site-done b',
      '22:01 wave-done 1',
      '22:01 rollout-complete',
    ]);
  });

  it('are not awaited when the failure limit is reached', async () => {
    const given = world('2026-11-27T23:59:30Z');
    given.stuck.add('a');
    const end = await rollOut(given, 'a b', { plan: { windows }, jobs: 1 });
    expect(shown(end)).toMatch(/; 1=failed; a=failed b=pending$/);
    expect(end.updatedAt).toBe('2026-11-28T02:59:30Z');
  });

  it('show in the state file what the rollout waits for', async () => {
    const given = world();
    const states = new Set<string>();
    given.onStep = () => states.add(stateIn(given)?.message ?? '');
    await rollOut(given, 'a', { plan: { windows } });
    expect([...states]).toEqual(['', 'the time window opens on Fri 2026-11-27 22:00 Europe/Berlin']);
    expect(stateIn(given)?.message).toBeUndefined();
  });
});

describe('a stop', () => {
  test.each([
    { at: 'asked a', want: 'canary=done 1=running 2=pending; a=starting b=starting c1=done d=pending' },
    { at: 'started a', want: 'canary=done 1=running 2=pending; a=waiting b=starting c1=done d=pending' },
    { at: 'looked c1', want: 'canary=running 1=pending 2=pending; a=pending b=pending c1=waiting d=pending' },
  ])('at "$at" leaves a state that the next run continues', async ({ at, want }) => {
    const given = world();
    const stopped = await rollOut(given, 'c1 a b d', { stop: stopAt(given, at) });
    expect(shown(stopped)).toBe(`interrupted; ${want}`);
    expect(given.notices.at(-1)).toMatch(/rollout-interrupted$/);
    given.onStep = () => undefined;
    const end = await rollOut(given, 'c1 a b d');
    expect(shown(end)).toBe('complete; canary=done 1=done 2=done; a=done b=done c1=done d=done');
    expect(given.starts.toSorted()).toEqual(['a', 'b', 'c1', 'd']);
  });

  it('while it waits for a window', async () => {
    const given = world();
    const windows = [{ days: ['fri'] as const, fromMinute: 22 * 60, toMinute: 60, zone: 'UTC' }];
    const controller = new AbortController();
    const running = rollOut(given, 'a', { plan: { windows }, stop: controller.signal });
    await given.clock.sleep(hourMs, new AbortController().signal);
    controller.abort();
    expect(shown(await running)).toMatch(/^interrupted .*; 1=running; a=pending$/);
    expect(given.clock.present().toISOString()).toMatch(/T13:0/);
  });

  it('does not extend the time limit of a started site', async () => {
    const given = world();
    given.stuck.add('a');
    await rollOut(given, 'a', { stop: stopAt(given, 'looked a') });
    given.onStep = () => undefined;
    await given.clock.sleep(hourMs, new AbortController().signal);
    const end = await rollOut(given, 'a');
    expect(end.sites.get('a')?.finishedAt).toBe('2026-11-27T15:00:00Z');
  });
});

it('starts held sites with another plan, after all others', async () => {
  const given = world();
  await rollOut(given, 'a h1 b d');
  const end = await rollOut(given, 'a h1 b d', { plan: { isHeld: () => false, digest: 'second' } });
  expect(shown(end)).toBe('complete; 1=done 2=done 3=done; a=done b=done d=done h1=done');
  expect(given.starts).toEqual(['a', 'b', 'd', 'h1']);
});

it('keeps the sites that a later run does not select', async () => {
  const given = world();
  await rollOut(given, 'a b');
  const end = await rollOut(given, 'd');
  expect(shown(end)).toBe('complete; 1=done 2=done; a=done b=done d=done');
});

it('starts no site whose state cannot be written', async () => {
  const given = world();
  const plan = plainPlan;
  const starts: string[] = [];
  let writes = 0;
  const run = runRollout({
    operation: 'boot',
    plan,
    waves: planWaves([{ name: 'a', valueOf: () => undefined }], plan),
    sites: {
      start: (site) => {
        starts.push(site);
        return Promise.resolve({ ok: true });
      },
      wait: () => Promise.resolve({ ok: true }),
    },
    clock: given.clock,
    jobs: 1,
    stop: new AbortController().signal,
    write: () => {
      writes += 1;
      return writes < 3
        ? { ok: true, value: undefined, warnings: [] }
        : failure(problem('dir/not-writable', 'the disk is full'));
    },
  });
  await expect(run).rejects.toThrow(RolloutStateFault);
  expect(starts).toEqual([]);
});
