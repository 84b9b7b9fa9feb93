import { isRecord } from '../../core/is-record.js';
import { readTrusted } from '../../disk/trust.js';
import { listShape, objectShape, textShape, type Shape } from '../../disk/state/state-shape.js';
import { summaryName, type FleetSummary, type SiteOutcomeSummary } from './fleet-summary.js';

/** Results in version 1, the format of 0.1.0. */
const resultsOfVersion1: ReadonlyMap<unknown, SiteOutcomeSummary> = new Map([
  ['made', 'created'],
  ['failed', 'failed'],
  ['not-made', 'not-started'],
]);

const thisVersion: Shape = (value, path) => (value === 2 ? undefined : { path, expected: 'version 2' });

const shape = objectShape({
  version: thisVersion,
  target: textShape(),
  program: objectShape({ version: textShape() }, { build: textShape() }),
  sites: listShape(
    objectShape(
      {
        name: textShape(),
        result: textShape('a result', (each) => ['created', 'failed', 'not-started'].includes(each)),
      },
      { bootableUntil: textShape(), receipt: textShape(), problems: listShape(textShape()) },
    ),
  ),
});

/** Reads fleet.json; undefined if it is missing or has an unknown format version. */
export function readSummary(outputs: string): FleetSummary | undefined {
  const read = readTrusted(outputs, summaryName);
  if (read.kind !== 'file') return undefined;
  try {
    const value = inCurrentVersion(JSON.parse(read.bytes.toString('utf8')));
    return isSummary(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A summary of version 1 with the results of the current version; other values are unchanged. */
function inCurrentVersion(value: unknown): unknown {
  if (!isRecord(value) || value['version'] !== 1 || !Array.isArray(value['sites'])) return value;
  const sites = value['sites'].map((site: unknown) =>
    isRecord(site) ? { ...site, result: resultsOfVersion1.get(site['result']) } : site,
  );
  return { ...value, version: 2, sites };
}

function isSummary(value: unknown): value is FleetSummary {
  return shape(value, '') === undefined;
}
