import { recordOfMachine } from '../../../fleet/boot/boot-record.js';
import type { BootRecordWriter } from '../../../fleet/boot/boot-record-writer.js';
import { bootSite } from '../../../fleet/boot/boot-site.js';
import type { SiteOperation } from '../../../fleet/rollout/run-rollout.js';
import type { BootInputs } from '../boot/boot-inputs.js';
import type { BmcLimits } from '../boot/boot-options.js';
import { sitePacing } from '../boot/visit-all.js';

/** Boots a site through its BMC. A site that the record lists as booted is not booted again. */
export function bootStart(
  { sites, users, urls }: BootInputs,
  settings: BmcLimits,
  keeper: BootRecordWriter,
): SiteOperation['start'] {
  const targets = new Map(sites.map((site) => [site.name, site]));
  return async (name, stop) => {
    const [site, user, imageUrl] = [targets.get(name), users?.(name), urls?.(name)];
    if (site === undefined || user === undefined || imageUrl === undefined)
      throw new Error(`internal error: ${name} cannot be booted`);
    const known = recordOfMachine(keeper.of(name), site.address);
    if (known !== undefined && known.reached !== 'starting') return { ok: true };
    const { pacing, release } = sitePacing(settings, stop);
    try {
      const { state, words } = await bootSite({ site, user, pacing }, { imageUrl, isAgain: false }, keeper);
      if (state === 'booted') return { ok: true };
      const isStopped = state === 'stopped' && stop.aborted;
      return { ok: false, cause: `the BMC: ${words}`, ...(isStopped && { isStopped: true }) };
    } finally {
      release();
    }
  };
}
