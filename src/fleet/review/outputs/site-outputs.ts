import type { OutputFile } from '../../../core/output-file.js';
import { problem, type Problem } from '../../../core/problem.js';
import { problemsOf } from '../../../core/result.js';
import { findChangedFile, readSiteRecord } from '../../../disk/site-record/site-record.js';
import { stateFileName } from '../../../disk/state/state-file.js';
import type { StateAccess } from '../../../disk/state/state-access.js';
import { folderOnDisk, outputsIn } from '../../../run/sources/review-folder.js';

/** Contents of a site's folder. */
export interface SiteOutputs {
  /** Decrypted outputs; empty if one of them cannot be read. */
  readonly files: readonly OutputFile[];
  /** Without a place and without the folder's path, so that equal problems of several sites can be grouped. */
  readonly problems: readonly Problem[];
}

/**
 * Reads the outputs in a site's folder and reports missing and changed files. Problems: fleet/not-made, fleet/output-gone,
 * fleet/output-unreadable, state/no-identity, state/wrong-identity, those of `access`. Warnings: fleet/output-changed.
 */
export async function readSiteOutputs(dir: string, access: StateAccess): Promise<SiteOutputs> {
  const folder = folderOnDisk(dir);
  const record = readSiteRecord(dir);
  if (!folder.hasConfigs && record === undefined) return { files: [], problems: [notMade()] };
  const odd = record && findChangedFile(dir, record, { mayRenew: false });
  const read = await outputsIn({ ...folder, name: '' }, access);
  // If a changed output cannot be read either, only the read error is reported.
  const isReported = odd === undefined || odd.path === stateFileName || (odd.is === 'changed' && !read.ok);
  return {
    files: read.ok ? read.value : [],
    problems: [...(isReported ? [] : [oddProblem(odd)]), ...problemsOf(read).map(ofSite)],
  };
}

function notMade(): Problem {
  const hint = 'run `sno-install fleet create`, or select other sites with --only';
  return problem('fleet/not-made', 'outputs of this site do not exist yet', { hint });
}

function oddProblem({ path, is }: { readonly path: string; readonly is: 'gone' | 'changed' }): Problem {
  return is === 'gone'
    ? problem('fleet/output-gone', `${path} is missing`, {
        hint: 'recreate it with `sno-install fleet create`',
      })
    : problem('fleet/output-changed', `${path} was changed after it was created`);
}

/** Replaces problem codes of the command line by those of a fleet's outputs. */
function ofSite(found: Problem): Problem {
  const { at, ...rest } = found;
  const { code, message } = rest;
  if (code === 'usage/unreadable-file') return problem('fleet/output-unreadable', message);
  if (code === 'review/not-a-config')
    return problem('fleet/output-unreadable', `${at?.file ?? 'an output'} cannot be used: ${message}`);
  return at === undefined ? found : rest;
}
