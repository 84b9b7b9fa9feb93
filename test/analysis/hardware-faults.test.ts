import { gzipSync } from 'node:zlib';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { analyzeBundle, type Analysis } from '../../src/analysis/analyze.js';
import { readBundle } from '../../src/disk/bundle/bundle-files.js';
import { scratchFolder } from '../support/scratch.js';
import { hardwareLines, healthyLines, type HardwareLines } from './support/hardware-lines.js';
import { entry, failingRecord } from './support/made-bundle.js';

const running = JSON.stringify([entry(1, 'service start'), entry(2, 'stage start', { stage: 'api' })]);
const kernelPath = 'bootstrap/journals/journal.log.gz';
const etcdPath = 'bootstrap/containers/etcd-0123456789abc.log';

/** The text of a log of `journalctl --output=with-unit` or of `crictl logs --timestamps`. */
function logOf(log: HardwareLines['log'], line: string, count: number): string {
  const lines = Array.from({ length: count }, (_, index) => line.replace('[n]', String(index)));
  const start =
    log === 'kernel' ? 'Fri 2026-01-02 03:04:05 UTC sno1 kernel: ' : '2026-01-02T03:04:05.678901234Z ';
  return lines.map((each) => `${start}${each}\n`).join('');
}

async function analyzed(files: Readonly<Record<string, string>>): Promise<Analysis> {
  const folder = scratchFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), path.endsWith('.gz') ? gzipSync(text) : text);
  }
  const read = await readBundle(folder);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return analyzeBundle(read.value);
}

async function notesOf(log: HardwareLines['log'], line: string, count: number): Promise<readonly string[]> {
  const path = log === 'kernel' ? kernelPath : etcdPath;
  const { notes } = await analyzed({
    'bootstrap/services/bootkube.json': running,
    'bootstrap/journals/bootkube.log': '',
    [path]: logOf(log, line, count),
  });
  return notes.map(({ fault, line: { time } }) => `${fault.id} ${time ?? ''}`);
}

describe('logs of the kernel and of etcd', () => {
  it.each(hardwareLines)('$fault: $line', async ({ fault, log, line, least }) => {
    expect(await notesOf(log, line, least)).toEqual([`${fault} 2026-01-02T03:04:05Z`]);
    if (least > 1) expect(await notesOf(log, line, least - 1)).toEqual([]);
  });

  it.each(healthyLines)('healthy: $line', async ({ log, line }) => {
    expect(await notesOf(log, line, 100)).toEqual([]);
  });

  it('need their number of lines for one device', async () => {
    const down = ['eno1', 'eno2'].map((name) =>
      logOf('kernel', `ice 0000:18:00.0 ${name}: NIC Link is Down`, 5),
    );
    const { notes } = await analyzed({
      'bootstrap/services/bootkube.json': running,
      [kernelPath]: down.join(''),
    });
    expect(notes).toEqual([]);
  });

  it.each([
    ['2026-01-02T03:04:05.678Z stderr F ', 'bootstrap/containers/etcd-etcd-site1-0.log'],
    ['', 'control-plane/192.168.126.10/containers/etcd-0123456789abcdef.log'],
  ])('are read with the prefix "%s" in %s', async (prefix, path) => {
    const { notes } = await analyzed({
      'bootstrap/services/bootkube.json': running,
      [path]: `${prefix}{"level":"warn","msg":"slow fdatasync","took":"1.3s"}\n`.repeat(5),
    });
    expect(notes.map(({ fault, unit }) => [fault.id, unit])).toEqual([['etcd-disk-slow', 'etcd']]);
  });

  it('are the likely cause of a failure that has no other', async () => {
    const line = hardwareLines.find(({ fault }) => fault === 'etcd-disk-slow')?.line ?? '';
    const failed = {
      'bootstrap/services/bootkube.json': failingRecord('wait-for-etcd', 'timed out'),
      'bootstrap/journals/bootkube.log':
        '2026-01-02T03:04:02+0000 sno1 bootkube.sh[1]: stage wait-for-etcd\n',
      [etcdPath]: logOf('etcd', line, 5),
    };
    const { verdict, faults, notes } = await analyzed(failed);
    expect([verdict, faults[0]?.fault.id, notes]).toEqual(['failed', 'etcd-disk-slow', []]);
  });

  it('are left out if the journal is damaged', async () => {
    const folder = scratchFolder();
    const files = {
      'bootstrap/services/bootkube.json': running,
      [kernelPath]: gzipSync('x').subarray(0, 12),
    };
    for (const [path, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
    const read = await readBundle(folder);
    expect(read.ok && analyzeBundle(read.value).notes).toEqual([]);
  });
});
