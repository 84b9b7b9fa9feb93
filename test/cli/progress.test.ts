import { describe, expect, it } from 'vitest';

import type { GlobalOptions } from '../../src/cli/options.js';
import { fleetProgress, siteProgress } from '../../src/cli/progress.js';

const options: GlobalOptions = { dir: '.', output: 'text', logLevel: 'info' };

function screenOf(isTTY: boolean): {
  readonly isTTY: boolean;
  readonly texts: string[];
  readonly write: (text: string) => boolean;
} {
  const texts: string[] = [];
  return { isTTY, texts, write: (text) => texts.push(text) > 0 };
}

const clear = '\r\u001b[K';

describe('the progress of sites on a terminal', () => {
  it('starts before the first site is finished', () => {
    const screen = screenOf(true);
    const progress = siteProgress(options, 300, screen, 'rendering sites');
    progress.onSite(1);
    progress.done();
    expect(screen.texts).toEqual([
      `${clear}rendering sites: 0 of 300`,
      `${clear}rendering sites: 1 of 300`,
      clear,
    ]);
  });

  it('starts so for `fleet create` too', () => {
    const screen = screenOf(true);
    fleetProgress(options, 300, screen);
    expect(screen.texts).toEqual([`${clear}creating sites: 0 of 300`]);
  });

  it.each([
    { name: 'without a terminal', given: options, isTTY: false },
    { name: 'with data as output', given: { ...options, output: 'json' as const }, isTTY: true },
    { name: 'with errors only', given: { ...options, logLevel: 'error' as const }, isTTY: true },
  ])('is not shown $name', ({ given, isTTY }) => {
    const screen = screenOf(isTTY);
    siteProgress(given, 300, screen).onSite(1);
    fleetProgress(given, 300, screen);
    expect(screen.texts).toEqual([]);
  });
});
