import { basename, join } from 'node:path';

import { analyzeBundle } from '../../analysis/analyze.js';
import { describeAnalysis, type AnalysisReport } from '../../analysis/describe.js';
import { readBundle } from '../../disk/bundle/bundle-files.js';
import { filesBelow } from '../../disk/files-below.js';
import type { RolloutState } from './rollout-state.js';

/**
 * The causes of failed sites. If the outputs of a site contain a log bundle from after its start, as `gather --dir OUTPUTS/SITE` writes it,
 * the cause ends with the finding of `analyze`.
 */
export async function bundleFindings(
  outputs: string,
  { sites }: Pick<RolloutState, 'sites'>,
): Promise<ReadonlyMap<string, string>> {
  const causes = new Map<string, string>();
  for (const [name, { state, cause = 'unknown', startedAt = '' }] of sites) {
    if (state !== 'failed') continue;
    const found = await bundleFinding(join(outputs, name), startedAt);
    causes.set(name, found?.finding === undefined ? cause : `${cause}; log bundle: ${found.finding}`);
  }
  return causes;
}

/** The newest log bundle in the outputs of a site. */
export interface BundleFinding {
  readonly path: string;
  /** Absent if the bundle shows no fault. */
  readonly finding?: string;
}

/**
 * Analyzes the newest bundle from after a start in RFC 3339. `gather` names a bundle by its time in UTC:
 * log-bundle-20260102030405.tar.gz.
 */
export async function bundleFinding(dir: string, startedAt: string): Promise<BundleFinding | undefined> {
  const since = startedAt.replace(/\D/g, '');
  const files = filesBelow(dir);
  const newest = (files.ok ? files.value.paths : [])
    .filter((path) => {
      const [, time] = /^log-bundle-(\d{14})\.tar\.gz$/.exec(basename(path)) ?? [];
      return time !== undefined && time >= since;
    })
    .toSorted()
    .at(-1);
  if (newest === undefined) return undefined;
  const bundle = await readBundle(newest);
  const finding = bundle.ok ? textOf(describeAnalysis(analyzeBundle(bundle.value))) : undefined;
  return { path: newest, ...(finding !== undefined && { finding }) };
}

function textOf({ faults: [fault], at, verdict }: AnalysisReport): string | undefined {
  if (fault !== undefined) return fault.title;
  if (at === undefined || verdict === 'complete') return undefined;
  const stage = [at.service, at.stage].filter((each) => each !== undefined).join(': ');
  return at.lastError === undefined ? stage : `${stage}: ${at.lastError}`;
}
