import { readTrusted } from '../../disk/trust.js';
import { listShape, objectShape, textShape, type Shape } from '../../disk/state/state-shape.js';
import { summaryName, type FleetSummary } from './fleet-summary.js';

const thisVersion: Shape = (value, path) => (value === 1 ? undefined : { path, expected: 'version 1' });

const shape = objectShape({
  version: thisVersion,
  target: textShape(),
  program: objectShape({ version: textShape() }, { build: textShape() }),
  sites: listShape(
    objectShape(
      {
        name: textShape(),
        result: textShape('a result', (each) => ['made', 'failed', 'not-made'].includes(each)),
      },
      { bootableUntil: textShape(), receipt: textShape(), problems: listShape(textShape()) },
    ),
  ),
});

/** Reads fleet.json; undefined if it is missing or has another format version. */
export function readSummary(outputs: string): FleetSummary | undefined {
  const read = readTrusted(outputs, summaryName);
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
