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
    const finding = await findingIn(join(outputs, name), startedAt);
    causes.set(name, finding === undefined ? cause : `${cause}; log bundle: ${finding}`);
  }
  return causes;
}

/** `gather` names a bundle by its time in UTC: log-bundle-20260102030405.tar.gz. */
async function findingIn(dir: string, startedAt: string): Promise<string | undefined> {
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
  return bundle.ok ? textOf(describeAnalysis(analyzeBundle(bundle.value))) : undefined;
}

function textOf({ faults: [fault], at, verdict }: AnalysisReport): string | undefined {
  if (fault !== undefined) return fault.title;
  if (at === undefined || verdict === 'complete') return undefined;
  const stage = [at.service, at.stage].filter((each) => each !== undefined).join(': ');
  return at.lastError === undefined ? stage : `${stage}: ${at.lastError}`;
}
