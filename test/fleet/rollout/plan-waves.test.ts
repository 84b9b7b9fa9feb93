import { describe, expect, it } from 'vitest';

import { planWaves } from '../../../src/fleet/rollout/plan-waves.js';
import type { RolloutSite, RolloutState, SiteStateName } from '../../../src/fleet/rollout/rollout-state.js';

/** A plan by patterns of names; `size` sites per wave. */
function plan(
  size: number,
  { canary = '^c', hold = '^$', digest = 'first' } = {},
): Parameters<typeof planWaves>[1] {
  return {
    isCanary: ({ name }) => new RegExp(canary).test(name),
    isHeld: ({ name }) => new RegExp(hold).test(name),
    waveSize: () => size,
    digest,
  };
}

function sites(names: string): Parameters<typeof planWaves>[0] {
  return names.split(' ').map((name) => ({ name, valueOf: () => undefined }));
}

/** An earlier run: `canary:c1=done 1:a=waiting h=held`. */
function earlier(text: string, digest = 'first'): Pick<RolloutState, 'plan' | 'waves' | 'sites'> {
  const entries = text.split(' ').map((each): [string, RolloutSite] => {
    const [, wave, name = '', state] = /^(?:(\w+):)?(\w+)=(\w+)$/.exec(each) ?? [];
    return [name, { ...(wave !== undefined && { wave }), state: stateNamed(state), attempts: 0 }];
  });
  const names = [...new Set(entries.flatMap(([, { wave }]) => wave ?? []))];
  return { plan: digest, waves: names.map((name) => ({ name, state: 'running' })), sites: new Map(entries) };
}

function stateNamed(text: string | undefined): SiteStateName {
  const found = (['held', 'pending', 'starting', 'waiting', 'done', 'failed'] as const).find(
    (each) => each === text,
  );
  if (found === undefined) throw new Error(`no state ${text ?? ''}`);
  return found;
}

function shown({ waves, held }: ReturnType<typeof planWaves>): string {
  return [
    ...waves.map(({ name, sites: own }) => `${name}: ${own.join(' ')}`),
    ...(held.length > 0 ? [`held: ${held.join(' ')}`] : []),
  ].join('; ');
}

describe('a first run', () => {
  it('puts the canary first and fills the waves in the order of the table', () => {
    expect(shown(planWaves(sites('a b c1 d c2 e f'), plan(2)))).toBe('canary: c1 c2; 1: a b; 2: d e; 3: f');
  });
  it('leaves out sites on hold, also of the canary', () => {
    expect(shown(planWaves(sites('a b c1 c2'), plan(2, { hold: '2|a' })))).toBe(
      'canary: c1; 1: b; held: a c2',
    );
  });
  it('takes the percentage of the sites without canary and hold', () => {
    const given = { ...plan(0, { hold: '^h' }), waveSize: (all: number) => all / 2 };
    expect(shown(planWaves(sites('h1 a b c1 h2 d e'), given))).toBe(
      'canary: c1; 1: a b; 2: d e; held: h1 h2',
    );
  });
});

describe('a later run', () => {
  const before = 'canary:c1=done 1:a=failed 1:b=waiting 1:d=pending 2:e=pending 2:f=pending h=held';
  const all = sites('c1 a b d e f h');
  it('keeps all waves with the same plan', () => {
    expect(shown(planWaves(all, plan(1, { hold: '^h' }), earlier(before)))).toBe(
      'canary: c1; 1: a b d; 2: e f; held: h',
    );
  });
  it('adds new sites of the table after them', () => {
    expect(shown(planWaves([...all, ...sites('n c9')], plan(9, { hold: '^h' }), earlier(before)))).toBe(
      'canary: c1 c9; 1: a b d; 2: e f; 3: n; held: h',
    );
  });
  it('regroups sites that have not started when the plan has changed', () => {
    expect(shown(planWaves(all, plan(3, { digest: 'second' }), earlier(before)))).toBe(
      'canary: c1; 1: a b; 2: d e f; 3: h',
    );
  });
  it('leaves out failed sites on hold, and continues with started ones', () => {
    expect(shown(planWaves(all, plan(9, { digest: 'second', hold: 'a|b|d' }), earlier(before)))).toBe(
      'canary: c1; 1: b; 2: e f h; held: d',
    );
  });
  it('leaves out sites on hold whose start was interrupted', () => {
    const before = earlier('1:a=starting 1:b=waiting');
    expect(shown(planWaves(sites('a b'), plan(9, { hold: 'a|b' }), before))).toBe('1: b');
  });
  it('takes no number of a site that is not selected', () => {
    expect(shown(planWaves(sites('n'), plan(9), earlier('1:a=done 4:b=done')))).toBe('5: n');
  });
});
