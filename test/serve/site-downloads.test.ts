import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Problem } from '../../src/core/problem.js';
import { downloadTracker, type DownloadTracker } from '../../src/serve/download-tracker.js';
import { downloadRecord, readDownloads, type DownloadRecord } from '../../src/serve/site-downloads.js';
import { scratchFolder } from '../support/scratch.js';

const medium = { bytes: 1000, etag: '"a"' };
const at = new Date('2026-11-28T10:00:00Z');

interface Kept {
  readonly path: string;
  readonly tracker: DownloadTracker;
  readonly record: DownloadRecord;
  readonly problems: Problem[];
}

function kept(path = join(scratchFolder(), 'serve.json.downloads')): Kept {
  const problems: Problem[] = [];
  const tracker = downloadTracker((site) => {
    record.onChange(site);
  });
  const record = downloadRecord(
    path,
    (site) => tracker.of(site),
    (found) => problems.push(...found),
  );
  return { path, tracker, record, problems };
}

const half = {
  sentBytes: 500,
  mediumBytes: 1000,
  lastFile: 'live.iso',
  lastAt: '2026-11-28T10:00:00Z',
};

describe('the record of downloads', () => {
  it('has the sent bytes and the last request of each site, also after a restart', () => {
    const { path, tracker, record } = kept();
    tracker.onRequest('a', 'live.iso', at);
    tracker.onPiece('a', { offset: 0, length: 300 }, medium);
    tracker.onPiece('a', { offset: 200, length: 300 }, medium);
    tracker.onRequest('b', 'boot.ipxe', at);
    record.close();
    const next = kept(path);
    next.tracker.onRequest('b', 'vmlinuz', new Date('2026-11-28T11:00:00Z'));
    next.record.close();
    expect(Object.fromEntries(readDownloads(path))).toEqual({
      a: half,
      b: { sentBytes: 0, mediumBytes: 0, lastFile: 'vmlinuz', lastAt: '2026-11-28T11:00:00Z' },
    });
  });

  it('is not written without a request', () => {
    const { path, record } = kept();
    record.close();
    expect(existsSync(path)).toBe(false);
  });

  it('is a problem if it cannot be written', () => {
    const { tracker, record, problems } = kept(join(scratchFolder(), 'missing/serve.json.downloads'));
    tracker.onRequest('a', 'live.iso', at);
    record.close();
    expect(problems.map(({ code }) => code)).toEqual(['dir/not-writable']);
  });

  it.each(['', '{', '[]', '{"a":{"sentBytes":-1}}'])('is empty if the file contains %j', (text) => {
    const path = join(scratchFolder(), 'downloads');
    writeFileSync(path, text);
    expect(readDownloads(path).size).toBe(0);
  });
});
