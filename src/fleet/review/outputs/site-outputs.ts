import type { OutputFile } from '../../../core/output-file.js';
import { problem, type Problem } from '../../../core/problem.js';
import { problemsOf } from '../../../core/result.js';
import { oddOutput, readSiteRecord } from '../../../disk/site-record/site-record.js';
import { stateFileName } from '../../../disk/state/state-file.js';
import type { StateAccess } from '../../../disk/state/state-access.js';
import { folderOnDisk, outputsIn } from '../../../run/sources/review-folder.js';

/** What lies in the folder of a site. */
export interface SiteOutputs {
  /** As plain text; none where one of them cannot be read. */
  readonly files: readonly OutputFile[];
  /** Without a place and without the path of the folder, so that sites which have the same can be told together. */
  readonly problems: readonly Problem[];
}

/**
 * The outputs in the folder of a site, with what is odd about them. Problems: fleet/not-made, fleet/output-gone,
 * fleet/output-unreadable, state/no-identity, state/wrong-identity, those of `access`. Warnings: fleet/output-changed.
 */
export async function siteOutputs(dir: string, access: StateAccess): Promise<SiteOutputs> {
  const folder = folderOnDisk(dir);
  const record = readSiteRecord(dir);
  if (!folder.hasConfigs && record === undefined) return { files: [], problems: [notMade()] };
  const odd = record && oddOutput(dir, record, { mayRenew: false });
  const read = await outputsIn({ ...folder, name: '' }, access);
  // What was changed and cannot be read is told once.
  const isTold = odd === undefined || odd.path === stateFileName || (odd.is === 'changed' && !read.ok);
  return {
    files: read.ok ? read.value : [],
    problems: [...(isTold ? [] : [oddProblem(odd)]), ...problemsOf(read).map(ofSite)],
  };
}

function notMade(): Problem {
  const hint = 'run `sno-install fleet create`, or name other sites by --only';
  return problem('fleet/not-made', 'there are no outputs of this site yet', { hint });
}

function oddProblem({ path, is }: { readonly path: string; readonly is: 'gone' | 'changed' }): Problem {
  return is === 'gone'
    ? problem('fleet/output-gone', `${path} is gone`, {
        hint: '`sno-install fleet create` makes it again',
      })
    : problem('fleet/output-changed', `${path} was changed after it was made`);
}

/** A fault of an output is none of the command line. */
function ofSite(found: Problem): Problem {
  const { at, ...rest } = found;
  const { code, message } = rest;
  if (code === 'usage/unreadable-file') return problem('fleet/output-unreadable', message);
  if (code === 'review/not-a-config')
    return problem('fleet/output-unreadable', `${at?.file ?? 'an output'} cannot be used: ${message}`);
  return at === undefined ? found : rest;
}
