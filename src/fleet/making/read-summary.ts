import { readBelow } from '../../disk/regular-file.js';
import { list, members, text, type Shape } from '../../disk/state/state-shape.js';
import { summaryName, type FleetSummary } from './fleet-summary.js';

const thisVersion: Shape = (value, path) => (value === 1 ? undefined : { path, expected: 'version 1' });

const shape = members({
  version: thisVersion,
  target: text(),
  program: members({ version: text() }, { build: text() }),
  sites: list(
    members(
      { name: text(), result: text('a result', (each) => ['made', 'failed', 'not-made'].includes(each)) },
      { bootableUntil: text(), receipt: text(), problems: list(text()) },
    ),
  ),
});

/** Reads fleet.json; undefined if it is missing or has another format version. */
export function readSummary(outputs: string): FleetSummary | undefined {
  const read = readBelow(outputs, summaryName);
  if (read.kind !== 'file') return undefined;
  try {
    const value: unknown = JSON.parse(read.bytes.toString('utf8'));
    return isSummary(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isSummary(value: unknown): value is FleetSummary {
  return shape(value, '') === undefined;
}
