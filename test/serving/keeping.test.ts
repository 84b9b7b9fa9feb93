import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { coveredBytes, covering, type Coverage } from '../../src/serving/coverage.js';
import { rateLimit } from '../../src/serving/answers/rate-limit.js';
import { packedCache } from '../../src/serving/media/site-media.js';
import { visits } from '../../src/serving/visits.js';

describe('packed configs', () => {
  const made: string[] = [];
  const make = (key: string) => {
    made.push(key);
    return Promise.resolve(Buffer.from(key));
  };

  it('are packed once for all who wait, and again after others were asked for', async () => {
    const cache = packedCache(2);
    const get = (key: string) => cache(key, () => make(key));
    await Promise.all([get('a'), get('a'), get('b')]);
    await get('a');
    await get('c');
    await get('a');
    expect((await get('b')).toString()).toBe('b');
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });

  it('are tried again after a failure', async () => {
    const cache = packedCache(2);
    await expect(cache('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect((await cache('a', () => make('a'))).toString()).toBe('a');
  });
});

it('stretches in any order cover what they cover', () => {
  const stretch = fc.record({ offset: fc.nat(60), length: fc.integer({ min: 1, max: 30 }) });
  fc.assert(
    fc.property(fc.array(stretch), (stretches) => {
      const coverage = stretches.reduce<Coverage>((sum, each) => covering(sum, each), []);
      const bytes = new Set(
        stretches.flatMap(({ offset, length }) => Array.from({ length }, (_, at) => offset + at)),
      );
      // Each is as long as it can be: what is covered begins where the byte before is not.
      const begins = [...bytes].filter((at) => !bytes.has(at - 1)).toSorted((one, other) => one - other);
      const lengthFrom = (from: number) => {
        let length = 0;
        while (bytes.has(from + length)) length += 1;
        return length;
      };
      expect(coverage).toEqual(begins.map((offset) => ({ offset, length: lengthFrom(offset) })));
      expect(coveredBytes(coverage)).toBe(bytes.size);
    }),
  );
});

it('a client is answered so often a second, and others are not held up by it', () => {
  const isGranted = rateLimit(10);
  const granted = (client: string, times: number, nowMs: number) =>
    Array.from({ length: times }, () => isGranted(client, nowMs)).filter(Boolean).length;

  expect(granted('a', 50, 0)).toBe(20);
  expect(granted('b', 5, 0)).toBe(5);
  expect(granted('a', 50, 500)).toBe(5);
  expect(granted('a', 50, 60_000)).toBe(20);
});

it('so many clients that none is remembered are still answered', () => {
  const isGranted = rateLimit(1);
  const answers = Array.from({ length: 30_000 }, (_, index) => isGranted(`client ${index}`, 0));
  expect(answers.every(Boolean)).toBe(true);
});

it('a site is waiting, then reading, then has fetched its medium, and begins anew with another', () => {
  const changed: string[] = [];
  const seen = visits((site) => changed.push(site));
  const medium = { bytes: 10, etag: '"a"' };
  const phases = [seen.of('s').phase];
  for (const piece of [
    { offset: 5, length: 5 },
    { offset: 0, length: 5 },
  ]) {
    seen.onPiece('s', piece, medium);
    phases.push(seen.of('s').phase);
  }
  seen.onPiece('s', { offset: 0, length: 1 }, { ...medium, etag: '"b"' });

  expect(phases).toEqual(['waiting', 'reading', 'fetched']);
  expect(seen.of('s')).toMatchObject({ phase: 'reading', givenBytes: 1, ofBytes: 10 });
  expect(changed).toEqual(['s', 's', 's']);
});
