import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export interface JournalLine {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The unit that wrote the line, or the unit that systemd reports about. */
  readonly unit: string;
  readonly message: string;
  readonly isOfSystemd: boolean;
}

/** Reads the journal lines of our units from the root of a stopped machine, in order. */
export function journalOf(root: string, units: readonly string[]): readonly JournalLine[] {
  const matches = units.flatMap((unit, index) => [
    ...(index === 0 ? [] : ['+']),
    `_SYSTEMD_UNIT=${unit}.service`,
    '+',
    `UNIT=${unit}.service`,
  ]);
  const { stdout, status, stderr } = spawnSync(
    'journalctl',
    ['--directory', join(root, 'var/log/journal'), '--output=json', '--no-pager', ...matches],
    { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (status !== 0) throw new Error(`journalctl: ${stderr}`);
  return stdout.split('\n').flatMap((text) => (text === '' ? [] : lineOf(text)));
}

function lineOf(text: string): readonly JournalLine[] {
  const entry = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const { MESSAGE: message, UNIT: about, _SYSTEMD_UNIT: from, __REALTIME_TIMESTAMP: at } = entry;
  const unit = typeof about === 'string' ? about : from;
  if (typeof message !== 'string' || typeof unit !== 'string') return [];
  return [
    {
      at: Number(at) / 1000,
      unit: unit.replace(/\.service$/, ''),
      message,
      isOfSystemd: typeof about === 'string',
    },
  ];
}
