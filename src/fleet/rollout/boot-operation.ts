import type { Problem } from '../../core/problem.js';
import { changedHardware, recordOfMachine } from '../boot/boot-record.js';
import type { BootRecordWriter } from '../boot/boot-record-writer.js';
import { bootSite } from '../boot/boot-site.js';
import type { SiteOperation } from './run-rollout.js';
import type { BootInputs } from '../boot/boot-inputs.js';
import type { BmcLimits } from '../boot/boot-settings.js';
import { sitePacing } from '../boot/visit-all.js';

interface BootStart {
  readonly inputs: BootInputs;
  readonly settings: BmcLimits;
  readonly keeper: BootRecordWriter;
  readonly present: () => Date;
  /** Why the medium of a site must not be booted now. */
  readonly faultOfMedium: (site: string) => string | undefined;
  /** Whether a failed site is tried again; a machine that was replaced since is then booted. */
  readonly isRetried: (site: string) => boolean;
}

/** Boots a site through its BMC. A site that the record lists as booted is not booted again. */
export function bootStart({
  inputs: { sites, users, urls, hardwareOf },
  settings,
  keeper,
  present,
  faultOfMedium,
  isRetried,
}: BootStart): SiteOperation['start'] {
  const targets = new Map(sites.map((site) => [site.name, site]));
  return async (name, stop) => {
    const [site, user, imageUrl] = [targets.get(name), users?.(name), urls?.(name)];
    if (site === undefined || user === undefined || imageUrl === undefined)
      throw new Error(`internal error: ${name} cannot be booted`);
    const known = recordOfMachine(keeper.of(name), site.address);
    const hardware = hardwareOf(name);
    const isReplaced =
      known !== undefined && isRetried(name) && changedHardware(known, hardware) !== undefined;
    if (known !== undefined && known.state !== 'starting' && !isReplaced) return { ok: true };
    // A machine that may already have started from its medium is looked at first.
    const isUnproven = known?.state === 'starting' && !isReplaced;
    const fault = isUnproven ? undefined : faultOfMedium(name);
    if (fault !== undefined) return { ok: false, cause: fault };
    const { pacing, release } = sitePacing(settings, stop, present);
    try {
      const { state, words, problems } = await bootSite(
        { site, user, pacing },
        { imageUrl, isAgain: isReplaced, hardware, faultOfMedium: () => faultOfMedium(name) },
        keeper,
      );
      if (state === 'booted') return { ok: true };
      const isStopped = state === 'stopped' && stop.aborted;
      return { ok: false, cause: failureCause(words, problems), ...(isStopped && { isStopped: true }) };
    } finally {
      release();
    }
  };
}

/** Why a site was not booted: its medium or its BMC. */
export function failureCause(words: string, problems: readonly Problem[]): string {
  return problems.some(({ code }) => code === 'boot/outdated') ? words : `the BMC: ${words}`;
}
