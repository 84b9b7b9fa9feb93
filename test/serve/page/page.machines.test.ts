import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import axe from 'axe-core';
import { beforeAll, expect, test } from 'vitest';

import { keyedSite } from '../../cli/keyed-site.js';
import { liveIso } from '../../media/support/live-iso.js';
import { browserPage, browserProgram, type BrowserPage } from '../../support/browser.js';
import { sno } from '../../support/command.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { curl, serving, urlsIn } from '../../support/serving.js';
import { scaledMs } from '../../support/time-scale.js';

const config = 'bootstrap-in-place-for-live-iso.ign';
const made = { config: Buffer.alloc(0) };
beforeAll(async () => {
  const folder = (await keyedSite())();
  expect(sno(['create', 'single-node-ignition-config'], { cwd: folder })).toMatchObject({ code: 0 });
  made.config = readFileSync(join(folder, config));
});

const many = 3000;
const nameOf = (index: number): string => `site-${String(index).padStart(4, '0')}`;

/** A fleet of 3,000 sites; the last ones have no outputs, some were booted. */
function fleet(): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'live.iso'), liveIso());
  const names = Array.from({ length: many }, (_, index) => nameOf(index));
  for (const [index, name] of names.entries()) {
    mkdirSync(join(folder, 'out', name), { recursive: true });
    // Sites that are not downloaded need no real config.
    if (index < 2990) writeFileSync(join(folder, 'out', name, config), index < 3 ? made.config : '{}');
  }
  boot(folder, { [nameOf(5)]: 'booted', [nameOf(6)]: 'ejected' });
  reported(folder, { [nameOf(7)]: [], [nameOf(8)]: ['failed'], [nameOf(9)]: 'complete' });
  said(folder, {
    [nameOf(7)]: 'connection refused',
    [nameOf(9)]: `<img src=x onerror="document.title='owned'">`,
  });
  rollOut(folder, { [nameOf(10)]: { state: 'failed', cause: '<b>timed out</b>' } });
  const sites = names.map((name) => ({ name, result: 'created', bootableUntil: '2027-01-31T00:00:00Z' }));
  writeFileSync(
    join(folder, 'out/fleet.json'),
    JSON.stringify({ version: 2, target: 'single-node-ignition-config', program: { version: '1' }, sites }),
  );
  return folder;
}

function boot(folder: string, sites: Readonly<Record<string, string>>): void {
  const entries = Object.entries(sites).map(([name, reached]) => [
    name,
    { reached, at: '2026-11-22T12:00:00Z', bmc: 'https://192.0.2.1' },
  ]);
  writeFileSync(
    join(folder, 'out/boot.json'),
    JSON.stringify({ version: 1, sites: Object.fromEntries(entries) as object }),
  );
}

/** Writes the state of a rollout of all sites; those not named wait for their wave. */
function rollOut(folder: string, sites: Readonly<Record<string, object>>, state = 'running'): void {
  const at = '2026-11-22T11:00:00Z';
  const entries = Array.from({ length: many }, (_, index) => {
    const name = nameOf(index);
    const own = { wave: 'canary', startedAt: at, attempts: 1, ...sites[name] };
    return [name, Object.hasOwn(sites, name) ? own : { wave: '1', state: 'pending', attempts: 0 }];
  });
  const rollout = {
    version: 1,
    operation: 'boot',
    until: 'install-complete',
    plan: '0'.repeat(64),
    state,
    startedAt: at,
    updatedAt: at,
    waves: [
      { name: 'canary', state: 'running', startedAt: at },
      { name: '1', state: 'pending' },
    ],
    sites: Object.fromEntries(entries) as object,
  };
  writeFileSync(join(folder, 'out/rollout.json'), JSON.stringify(rollout, null, 2));
}

/** Writes node reports as `serve` stores them: ends of stages, or `complete`. */
function reported(folder: string, sites: Readonly<Record<string, readonly string[] | 'complete'>>): void {
  const entries = Object.entries(sites).map(([name, ends]) => [
    name,
    {
      system: ends === 'complete' ? 'node' : 'live',
      isComplete: ends === 'complete',
      stages:
        ends === 'complete'
          ? []
          : ends.map((came) => ({
              service: 'bootkube',
              stage: 'wait-for-etcd',
              came,
              at: '2026-11-22T12:00:00Z',
            })),
      receivedAt: '2026-11-22T12:00:01Z',
    },
  ]);
  const reports = JSON.stringify(Object.fromEntries(entries));
  writeFileSync(join(folder, '.sno-install-serve.json.reports'), reports);
}

/** Writes API states as `fleet wait-for` stores them. */
function said(folder: string, sites: Readonly<Record<string, string>>): void {
  const entry = {
    condition: 'install-complete',
    state: 'waiting',
    since: '2026-11-22T12:00:00Z',
    receivedAt: '2026-11-22T12:10:00Z',
  };
  const entries = Object.entries(sites).map(([name, word]) => [name, { ...entry, word }]);
  writeFileSync(
    join(folder, 'out/wait.json'),
    JSON.stringify({ version: 1, sites: Object.fromEntries(entries) as object }),
  );
}

async function served() {
  const folder = fleet();
  const server = await serving(folder, ['out']);
  return { folder, server, urls: urlsIn(folder, server.url, ['out']) };
}

/** Texts of the visible rows. */
const shownRows = `[...document.querySelectorAll('tbody tr')].filter((row) => row.checkVisibility()).map((row) => row.innerText.replace(/\\s+/g, ' ').trim())`;
const countText = `document.querySelector('#count').textContent`;
const liveText = `document.querySelector('#live').textContent`;
const filterText = `document.querySelector('#q').value`;
const chosenPhase = `document.querySelector('nav [aria-current]').dataset.phase`;

/** Findings of axe on the page as displayed, contrast included. Only the first rows are checked, since rows are alike. */
async function accessibilityFaults(page: BrowserPage): Promise<unknown> {
  await page.is(`${axe.source}\n;true`);
  await page.is(`[...document.querySelectorAll('tbody tr')].slice(20).forEach((row) => row.remove())`);
  return page.is(
    `axe.run(document).then(({ violations, passes }) => ({ faults: violations.map(({ id, nodes }) => [id, nodes[0].html]), hasContrast: passes.some(({ id }) => id === 'color-contrast') }))`,
  );
}

const wide = { width: 1280, height: 900 };
const narrow = { width: 360, height: 700 };

describeWith([browserProgram, 'curl'], 'the page of serve in Chromium', () => {
  test('shows 3,000 sites and their changes', async () => {
    const { folder, server, urls } = await served();
    const page = await browserPage(wide);
    await page.open(urls.page);

    expect(await page.is('location.href')).toBe(`${server.url}/sites`);
    await expect.poll(() => page.is(liveText)).toBe('Live');
    expect(await page.is(countText)).toBe('3000 of 3000 sites');
    const ends = 'pending in wave 1 2027-01-31 00:00:00 UTC';
    const first = await page.is<readonly string[]>(shownRows);
    expect([first[0], first[5], first[6], first[2995]]).toEqual([
      `site-0000 Made ${ends}`,
      `site-0005 Booted booted from its medium 2026-11-22 12:00:00 UTC ${ends}`,
      `site-0006 Medium ejected medium ejected 2026-11-22 12:00:00 UTC ${ends}`,
      `site-2995 No outputs ${ends}`,
    ]);

    const old = 'outdated, last check 2026-11-22 12:10:00 UTC';
    expect(first.slice(7, 11)).toEqual([
      `site-0007 Installing the live system is running 2026-11-22 12:00:01 UTC waiting for install-complete: connection refused ${old} ${ends}`,
      `site-0008 Failed bootkube wait-for-etcd failed 2026-11-22 12:00:01 UTC ${ends}`,
      `site-0009 Ready the cluster is complete 2026-11-22 12:00:01 UTC waiting for install-complete: <img src=x onerror="document.title='owned'"> ${old} ${ends}`,
      'site-0010 Made failed in wave canary: <b>timed out</b> 2027-01-31 00:00:00 UTC',
    ]);
    const rolloutText = `document.querySelector('#rollouts').innerText`;
    expect(await page.is(rolloutText)).toBe(
      'Rollout running, wave canary (1 of 2): 0 of 3000 sites done, 1 failed',
    );

    // Only rows with new information change.
    await page.is(`document.querySelectorAll('tbody tr').forEach((row) => (row.isOld = true))`);
    expect(curl(folder, urls.sites[0]?.iso ?? '', '--range', '0-9999').status).toBe(206);
    boot(folder, { [nameOf(1)]: 'starting' });
    renameSync(join(folder, 'out', nameOf(2999)), join(folder, 'out', 'site-0002-b'));
    const now = (name: string): Promise<unknown> =>
      page.is(
        `(({ isOld, dataset, previousSibling } = { dataset: {} }) => [isOld === true, dataset.phase ?? null])(document.querySelector('[data-site="${name}"]') ?? undefined)`,
      );
    await expect
      .poll(() => Promise.all([nameOf(0), nameOf(1), nameOf(5), nameOf(2999), 'site-0002-b'].map(now)), {
        timeout: scaledMs(30_000),
      })
      .toEqual([
        [true, 'reading'],
        [true, 'starting'],
        [true, 'created'],
        [false, null],
        [false, 'no-outputs'],
      ]);
    const later = await page.is<readonly string[]>(shownRows);
    expect(later[0]).toMatch(/^site-0000 Downloading medium \d+ % downloaded \d+ % of live\.iso 20/);
    expect(later.slice(2, 5).map((row) => row.split(' ')[0])).toEqual([
      'site-0002',
      'site-0002-b',
      'site-0003',
    ]);
    expect(await page.is(`document.querySelector('[data-site="${nameOf(0)}"] progress').value`)).toBeLessThan(
      100,
    );
    expect(
      await page.is(`document.querySelector('nav [data-phase=starting]').innerText.replace(/\\s+/, ' ')`),
    ).toBe('1 Starting');
    rollOut(folder, { [nameOf(10)]: { state: 'done' } }, 'complete');
    await expect
      .poll(() => page.is(rolloutText), { timeout: scaledMs(30_000) })
      .toBe('Rollout complete, wave canary (1 of 2): 1 of 3000 sites done');
    expect(await page.is(`document.querySelector('[data-site="${nameOf(10)}"]').cells[4].textContent`)).toBe(
      'done in wave canary',
    );
    said(folder, { [nameOf(3)]: '<b>connection refused</b>' });
    const third = `document.querySelector('[data-site="${nameOf(3)}"]').cells[3].firstElementChild`;
    await expect
      .poll(() => page.is(`${third}.innerHTML`), { timeout: scaledMs(30_000) })
      .toBe('waiting for install-complete: &lt;b&gt;connection refused&lt;/b&gt;');
    expect(
      await page.is(`document.querySelector('[data-site="${nameOf(7)}"]').cells[3].textContent.trim()`),
    ).toBe('');
    expect(await page.is('document.title')).toBe(`${basename(folder)} – sno-install`);

    expect(page.complaints()).toEqual([]);
    expect(await page.is('document.documentElement.outerHTML')).not.toContain(
      urls.sites[0]?.iso.split('/')[3],
    );
    // An open event stream does not delay the shutdown.
    expect(await server.stop()).toBe(0);
    await expect.poll(() => page.is(liveText)).toContain('does not answer');
  });

  test('is worked by keyboard alone, and shows where the focus is', async () => {
    const { server, urls } = await served();
    const page = await browserPage(wide);
    await page.open(urls.page);
    await expect.poll(() => page.is(liveText)).toBe('Live');

    const visited: unknown[] = [];
    for (let step = 0; step < 11; step += 1) {
      await page.press('Tab');
      visited.push(
        await page.is(
          `(({ tagName, textContent }, { outlineStyle, outlineWidth }) => [tagName, textContent.replace(/^\\d+ /, ''), outlineStyle, outlineWidth])(document.activeElement, getComputedStyle(document.activeElement))`,
        ),
      );
      if (step === 2) await page.press('Enter');
    }
    const focus = ['solid', '3px'];
    expect(visited).toEqual([
      ['A', 'Skip to the sites', ...focus],
      ...['All', 'No outputs', 'Made', 'Booted', 'Medium ejected', 'Installing', 'Failed', 'Ready'].map(
        (text) => ['A', text, ...focus],
      ),
      ['INPUT', '', ...focus],
      ['BUTTON', 'Filter', ...focus],
    ]);
    expect([await page.is(chosenPhase), await page.is(countText)]).toEqual([
      'no-outputs',
      '10 of 3000 sites',
    ]);

    await page.open(`${server.url}/sites`);
    await expect.poll(() => page.is(liveText)).toBe('Live');
    await page.press('/', ...Array.from('site-000 booted'));
    expect(await page.is(filterText)).toBe('site-000 booted');
    expect((await page.is<readonly string[]>(shownRows)).map((row) => row.split(' ')[0])).toEqual([
      'site-0005',
    ]);
    expect(await page.is(countText)).toBe('1 of 3000 sites');
    expect(await page.is('location.search')).toBe('?q=site-000+booted');
    await page.press('Escape', ...Array.from('refused outdated'));
    expect((await page.is<readonly string[]>(shownRows)).map((row) => row.split(' ')[0])).toEqual([
      'site-0007',
    ]);
    await page.press('Escape');
    expect([await page.is(filterText), await page.is(countText)]).toEqual(['', '3000 of 3000 sites']);
    expect(page.complaints()).toEqual([]);
  });

  test.each(['light', 'dark'])(
    'has no fault of accessibility in %s, wide and narrow, and never scrolls aside',
    async (scheme) => {
      const { folder, urls } = await served();
      expect(curl(folder, urls.sites[0]?.iso ?? '', '--range', '0-9999').status).toBe(206);
      const page = await browserPage(wide);
      await page.ask('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-color-scheme', value: scheme }],
      });
      const grounds: unknown[] = [];
      for (const size of [wide, narrow]) {
        await page.ask('Emulation.setDeviceMetricsOverride', {
          ...size,
          deviceScaleFactor: 1,
          mobile: false,
        });
        await page.open(urls.page);
        expect(await page.is('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
        grounds.push(await page.is('getComputedStyle(document.body).backgroundColor'));
        expect(await accessibilityFaults(page)).toEqual({ faults: [], hasContrast: true });
      }
      const ground = { light: 'rgb(255, 255, 255)', dark: 'rgb(19, 19, 22)' }[scheme];
      expect(grounds).toEqual([ground, ground]);
    },
  );

  test('is read and filtered where no script runs', async () => {
    const { urls } = await served();
    const page = await browserPage(wide);
    await page.ask('Emulation.setScriptExecutionDisabled', { value: true });
    await page.open(urls.page);
    expect(await page.is(liveText)).toMatch(/^As of 20.* UTC; reload the page to update$/);
    expect(await page.is<readonly string[]>(shownRows)).toHaveLength(many);

    await page.ask('Runtime.evaluate', { expression: `document.querySelector('#q').focus()` });
    await page.press(...Array.from('medium ejected'));
    await page.opening(() => page.press('Enter'));
    expect(await page.is('location.search')).toBe('?q=medium+ejected');
    expect(await page.is<readonly string[]>(shownRows)).toHaveLength(1);
    expect([await page.is(filterText), await page.is(countText)]).toEqual([
      'medium ejected',
      '1 of 3000 sites',
    ]);
    await page.opening(() => page.is(`document.querySelector('[data-phase=booted]').click()`));
    expect([await page.is(chosenPhase), await page.is(countText)]).toEqual(['booted', '0 of 3000 sites']);
    await page.opening(() => page.is(`document.querySelector('[data-phase=""]').click()`));
    expect(await page.is(countText)).toBe('1 of 3000 sites');
  });

  test('escapes a name with markup, in the page and in updates', async () => {
    const { folder, urls } = await served();
    const page = await browserPage(wide);
    const name = `<img src=x onerror="document.title='owned'">&amp;'`;
    mkdirSync(join(folder, 'out', name));
    await page.open(urls.page);
    await expect.poll(() => page.is(liveText)).toBe('Live');
    mkdirSync(join(folder, 'out', `${name}2`));
    await expect.poll(() => page.is(countText), { timeout: scaledMs(30_000) }).toBe('3002 of 3002 sites');
    expect((await page.is<readonly string[]>(shownRows)).slice(0, 2)).toEqual([
      `${name} No outputs`,
      `${name}2 No outputs`,
    ]);
    expect([await page.is('document.title'), page.complaints()]).toEqual([
      `${basename(folder)} – sno-install`,
      [],
    ]);
  });
});
