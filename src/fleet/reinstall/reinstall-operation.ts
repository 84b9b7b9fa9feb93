import { recordOfMachine } from '../boot/boot-record.js';
import type { BootRecordWriter } from '../boot/boot-record-writer.js';
import { bootSite } from '../boot/boot-site.js';
import type { RolloutState } from '../rollout/rollout-state.js';
import type { SiteOperation } from '../rollout/run-rollout.js';
import type { BootInputs } from '../boot/boot-inputs.js';
import type { BootSettings } from '../boot/boot-settings.js';
import { sitePacing } from '../boot/visit-all.js';
import { failureCause } from '../rollout/boot-operation.js';

interface ReinstallStart {
  readonly inputs: BootInputs;
  readonly settings: BootSettings;
  readonly keeper: BootRecordWriter;
  readonly present: () => Date;
  /** State of an earlier run that continues. */
  readonly earlier: RolloutState | undefined;
  /** Why the medium of a site must not be booted now. */
  readonly faultOfMedium: (site: string) => string | undefined;
  readonly onBooted: (site: string) => void;
}

/**
 * Boots a site although the record lists it as booted. A site that a killed run was starting is booted again unless the record shows that
 * this run had booted it.
 */
export function reinstallStart({
  inputs: { sites, users, urls, hardwareOf },
  settings,
  keeper,
  present,
  earlier,
  faultOfMedium,
  onBooted,
}: ReinstallStart): SiteOperation['start'] {
  const targets = new Map(sites.map((site) => [site.name, site]));
  return async (name, stop) => {
    const [site, user, imageUrl] = [targets.get(name), users?.(name), urls?.(name)];
    if (site === undefined || user === undefined || imageUrl === undefined)
      throw new Error(`internal error: ${name} cannot be booted`);
    const startedSite = earlier?.sites.get(name);
    const known = recordOfMachine(keeper.of(name), site.address);
    // Times of RFC 3339 in UTC are compared as texts.
    const isOurs =
      startedSite?.state === 'starting' && (known?.updatedAt ?? '') >= (startedSite.startedAt ?? '~');
    if (isOurs && known !== undefined && known.state !== 'starting') {
      onBooted(name);
      return { ok: true };
    }
    const { pacing, release } = sitePacing(settings, stop, present);
    try {
      const { state, words, problems } = await bootSite(
        { site, user, pacing },
        {
          imageUrl,
          isAgain: !isOurs,
          isReinstall: true,
          hardware: hardwareOf(name),
          faultOfMedium: () => faultOfMedium(name),
        },
        keeper,
      );
      if (state === 'booted') {
        onBooted(name);
        return { ok: true };
      }
      const isStopped = state === 'stopped' && stop.aborted;
      return { ok: false, cause: failureCause(words, problems), ...(isStopped && { isStopped: true }) };
    } finally {
      release();
    }
  };
}
