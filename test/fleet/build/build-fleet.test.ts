import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, it, test } from 'vitest';

import { fleetOptions } from '../../../src/fleet/build/fleet-options.js';
import type { SiteOutcome } from '../../../src/fleet/build/previous-sites.js';
import { buildFleet, type FleetRun } from '../../../src/fleet/build/build-fleet.js';
import { openFleet } from '../../../src/fleet/table/read-fleet.js';
import { fleetFolder } from '../files.js';

const names = Array.from({ length: 12 }, (_, index) => `north-${index + 1}`);

/** A fleet run whose sites are built by stubs. */
function runOf(
  changes: Partial<FleetRun>,
  table = names.map((name, index) => `${name},10.0.0.${index}`),
): FleetRun {
  const dir = fleetFolder({ 'sites.csv': ['name,ip', ...table, ''].join('\n') });
  const opened = openFleet(dir);
  if (!opened.ok) throw new Error('the fleet cannot be read');
  return {
    opened: opened.value,
    order: {
      ...fleetOptions(opened.value),
      dir,
      keys: { identities: [], passphrases: [] },
      variables: {},
      command: 'sno-install fleet create',
      present: new Date(),
      templatesFolder: 'templates',
      recordKey: '',
    },
    pool: {
      run: ({ name }) => Promise.resolve({ name, isMade: true, problems: [], facts: {} }),
      close: () => Promise.resolve(),
    },
    jobs: 2,
    failFast: false,
    stop: new AbortController().signal,
    onSite: () => undefined,
    ...changes,
  };
}

/** Slow checks of existing sites. They count how many run at a time. */
function countedLooks(outcomeOf: (name: string) => SiteOutcome | undefined): {
  readonly knownBefore: NonNullable<FleetRun['knownBefore']>;
  readonly started: string[];
  readonly most: () => number;
  readonly now: () => number;
} {
  const started: string[] = [];
  let [now, most] = [0, 0];
  return {
    started,
    most: () => most,
    now: () => now,
    knownBefore: async ({ name }) => {
      started.push(name);
      now += 1;
      most = Math.max(most, now);
      await wait(2);
      now -= 1;
      const outcome = outcomeOf(name);
      return outcome && { outcome, problems: [] };
    },
  };
}

describe('sites with slow reads', () => {
  test.each([1, 5])('are read %i at a time, and returned in the order of the table', async (looksAtOnce) => {
    const isThere = (name: string): SiteOutcome | undefined => (name.endsWith('2') ? undefined : 'unchanged');
    const { knownBefore, started, most } = countedLooks(isThere);
    const { sites } = await buildFleet(runOf({ knownBefore, looksAtOnce }));
    expect(sites.map(({ name, outcome }) => [name, outcome])).toEqual(
      names.map((name) => [name, isThere(name) ?? 'created']),
    );
    expect([started, most()]).toEqual([names, looksAtOnce]);
  });

  it('finish before a stopped run ends, and no further site starts', async () => {
    const stop = new AbortController();
    const looks = countedLooks(() => 'unchanged');
    const onSite = (): void => {
      stop.abort();
    };
    const { sites } = await buildFleet(
      runOf({ knownBefore: looks.knownBefore, looksAtOnce: 4, stop: stop.signal, onSite }),
    );
    expect(sites.map(({ outcome }) => outcome)).toEqual([
      'unchanged',
      ...names.slice(1).map(() => 'not-started'),
    ]);
    expect(looks.now()).toBe(0);
    expect(looks.started.length).toBeLessThan(names.length);
  });

  it('do not start after the first failure with --fail-fast', async () => {
    const { knownBefore } = countedLooks((name) => (name === 'north-3' ? 'failed' : 'unchanged'));
    const { sites } = await buildFleet(runOf({ knownBefore, looksAtOnce: 4, failFast: true }));
    expect(sites.filter(({ outcome }) => outcome === 'not-started').map(({ name }) => name)).toEqual(
      names.slice(3),
    );
  });

  it('are not read if an earlier site has their address', async () => {
    const table = ['north-1,10.0.0.1', 'north-2,10.0.0.1', 'north-3,10.0.0.3'];
    const { knownBefore, started } = countedLooks(() => undefined);
    const { sites } = await buildFleet(runOf({ knownBefore, looksAtOnce: 4 }, table));
    expect(started).toEqual(['north-1', 'north-3']);
    expect(sites.map(({ outcome, codes }) => [outcome, ...codes])).toEqual([
      ['created'],
      ['failed', 'fleet/shared-value'],
      ['created'],
    ]);
  });
});
