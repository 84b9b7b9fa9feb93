import { problem, type Problem } from '../../core/problem.js';
import { rfc3339 } from '../../core/rfc3339.js';
import type { SiteStatus } from '../build/fleet-status.js';
import type { DiskSettings } from './disk-settings.js';

/** Whether the keys of the sites stay or are generated again. */
export type KeysOption = 'keep' | 'renew';

export interface MediumCheck {
  readonly keys: KeysOption;
  /** End of the last moment at which a site may still install. */
  readonly until: Date;
  /** Explains the status of outputs that are not up to date. */
  readonly describe: (status: SiteStatus) => string;
}

/**
 * Checks whether a medium installs the site again. New keys come with a new medium and another cluster ID, so then neither the outputs nor
 * `reinstall` matter. Problems: reinstall/outdated, reinstall/refuse; warning: reinstall/erased.
 */
export function mediumProblems(
  status: SiteStatus,
  { reinstall, kept }: DiskSettings,
  { keys, until, describe }: MediumCheck,
): readonly Problem[] {
  const { name, status: freshness, facts } = status;
  const found: Problem[] = [];
  const end = facts.bootableUntil === undefined ? undefined : new Date(facts.bootableUntil);
  if (keys === 'keep') {
    if (freshness !== 'current')
      found.push(outdated(`the outputs of ${name} are ${describe(status)}`, name, ''));
    else if (end !== undefined && end < until)
      found.push(
        outdated(
          `the certificates in the medium of ${name} expire at ${rfc3339(end)}, and an installation may last until ${rfc3339(until)}`,
          name,
          ' --renew',
        ),
      );
    if (reinstall === 'Refuse')
      found.push(
        problem('reinstall/refuse', `the medium of ${name} refuses a disk with its own installation`, {
          hint: `set "reinstall: SameCluster" in overrides/${name}/sno-config.yaml, then run \`sno-install fleet create --only ${name}\``,
        }),
      );
  }
  if (kept.length === 0) found.push(problem('reinstall/erased', 'no partition is kept: the disk is erased'));
  return found;
}

function outdated(message: string, name: string, more: string): Problem {
  const hint = `run \`sno-install fleet create --only ${name}${more}\`; it keeps the keys`;
  return problem('reinstall/outdated', message, { hint });
}
