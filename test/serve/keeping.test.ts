import { EventEmitter } from 'node:events';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { coveredBytes, addRange, mergeCoverages, type Coverage } from '../../src/serve/coverage.js';
import { limitConnections, networkOf } from '../../src/serve/answers/connections.js';
import { rateLimit } from '../../src/serve/answers/rate-limit.js';
import { packedCache } from '../../src/serve/media/site-media.js';
import { downloadTracker } from '../../src/serve/download-tracker.js';

describe('packed configs', () => {
  const made: string[] = [];
  const make = (key: string) => {
    made.push(key);
    return Promise.resolve(Buffer.from(key));
  };

  it('are packed once for concurrent requests, and again after eviction', async () => {
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

it('merges ranges in any order', () => {
  const stretch = fc.record({ offset: fc.nat(60), length: fc.integer({ min: 1, max: 30 }) });
  fc.assert(
    fc.property(fc.array(stretch), (stretches) => {
      const coverage = stretches.reduce<Coverage>((sum, each) => addRange(sum, each), []);
      const bytes = new Set(
        stretches.flatMap(({ offset, length }) => Array.from({ length }, (_, at) => offset + at)),
      );
      // Ranges are maximal: each begins where the byte before is not covered.
      const starts = [...bytes].filter((at) => !bytes.has(at - 1)).toSorted((one, other) => one - other);
      const lengthFrom = (from: number) => {
        let length = 0;
        while (bytes.has(from + length)) length += 1;
        return length;
      };
      expect(coverage).toEqual(starts.map((offset) => ({ offset, length: lengthFrom(offset) })));
      expect(coveredBytes(coverage)).toBe(bytes.size);
      expect(mergeCoverages(stretches.map((each) => [each]))).toEqual(coverage);
    }),
  );
});

it('scattered ranges of one byte fill no memory, and whole pieces are not forgotten for them', () => {
  const bytes = Array.from({ length: 5000 }, (_, at) => ({ offset: 10_000 + at * 7, length: 1 }));
  const pieces = Array.from({ length: 100 }, (_, at) => ({ offset: at * 100, length: 100 }));
  const coverage = [...bytes, ...pieces].reduce<Coverage>(addRange, []);
  expect(coverage.length).toBeLessThanOrEqual(1024);
  expect(coverage[0]).toEqual({ offset: 0, length: 10_000 });
});

it.each([
  { address: '192.0.2.1', want: undefined },
  { address: '::ffff:192.0.2.1', want: undefined },
  { address: '2001:db8:1:2:3:4:5:6', want: '2001:db8:1:2' },
  { address: '2001:db8:1:2::6', want: '2001:db8:1:2' },
  { address: '2001:db8::6', want: '2001:db8:0:0' },
  { address: 'fe80::1%eth0', want: 'fe80:0:0:0' },
  { address: '::1', want: '0:0:0:0' },
])('$address counts with the /64 $want', ({ address, want }) => {
  expect(networkOf(address)).toBe(want);
});

it('the addresses of one /64 have half of all connections, and each address its own limit', () => {
  const server = Object.assign(new EventEmitter(), { maxConnections: 0 });
  limitConnections(server as unknown as Parameters<typeof limitConnections>[0], {
    connections: 8,
    connectionsPerClient: 2,
  });
  const refused = (...addresses: readonly string[]): readonly string[] => {
    const opened = addresses.map((remoteAddress) =>
      Object.assign(new EventEmitter(), { remoteAddress, isRefused: false, destroy: () => undefined }),
    );
    for (const socket of opened) {
      socket.destroy = () => void (socket.isRefused = true);
      server.emit('connection', socket);
    }
    const names = opened.filter(({ isRefused }) => isRefused).map(({ remoteAddress }) => remoteAddress);
    for (const socket of opened) socket.emit('close');
    return names;
  };
  expect(server.maxConnections).toBe(8);
  const ofOne = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8::4', '2001:db8::5'];
  expect(refused(...ofOne, '2001:db8:0:1::1')).toEqual(['2001:db8::5']);
  expect(refused('192.0.2.1', '192.0.2.1', '192.0.2.1')).toEqual(['192.0.2.1']);
  expect(refused(...ofOne.slice(0, 4))).toEqual([]);
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

it('a site is waiting, then reading, then has downloaded its image, and restarts with another', () => {
  const changed: string[] = [];
  const seen = downloadTracker((site) => changed.push(site));
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
