import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { GlobalOptions } from '../../src/cli/options.js';
import { fleetProgress, payloadProgress, siteProgress } from '../../src/cli/progress.js';
import { verifyPayload } from '../../src/payload/verify-payload.js';
import { madePayload } from '../payload/made-payload.js';
import { scratchFolder } from '../support/scratch.js';

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

describe('the progress of bytes without a terminal', () => {
  const mebibyte = 1024 * 1024;

  /** Copies `mebibytes` in this time, one at a time. */
  function linesOf(mebibytes: number, seconds: number): readonly string[] {
    const screen = screenOf(false);
    let ms = 0;
    const progress = payloadProgress(options, screen, () => ms);
    for (let done = 0; done <= mebibytes; done += 1) {
      ms = (seconds * 1000 * done) / mebibytes;
      progress.onProgress('verifying', done * mebibyte, mebibytes * mebibyte);
    }
    progress.done();
    return screen.texts;
  }

  it('has no lines in the first ten seconds', () => {
    expect(linesOf(19, 1)).toEqual([]);
  });

  it('has one line in ten seconds, and one per tenth', () => {
    expect([linesOf(1000, 30).length, linesOf(1000, 3000).length]).toEqual([2, 10]);
    expect(linesOf(1000, 3000)[0]).toBe('verifying: 100 of 1000 MiB, 0.3 MiB/s, about 45 min left\n');
    expect(linesOf(1000, 3000).at(-1)).toBe('verifying: 1000 of 1000 MiB, 0.3 MiB/s\n');
  });
});

it('a payload is verified up to its size, though it is read twice', async () => {
  const payload = madePayload();
  const file = join(scratchFolder(), 'x.payload');
  writeFileSync(file, payload.bytes);
  let [done, total] = [0, 0];
  await verifyPayload(file, {
    stop: new AbortController().signal,
    onSize: (bytes) => {
      total = bytes;
    },
    onBytes: (bytes) => {
      done += bytes;
    },
  });
  expect(total).toBeLessThanOrEqual(payload.bytes.length);
  expect(done).toBeGreaterThan(0);
});
