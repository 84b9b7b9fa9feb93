import { printable } from '../../core/printable.js';
import { redactSecrets } from '../../core/secrets.js';
import { currentWave, sitesByState, type RolloutStatus } from './rollout-status.js';

const operationNames = {
  apply: 'Configuration',
  boot: 'Rollout',
  reinstall: 'Reinstallation',
  upgrade: 'Upgrade',
} as const;

/** Summary of a rollout: `Rollout running, wave 1 (2 of 5): 120 of 500 sites done, 3 failed, 10 held`. */
export function rolloutSummary(rollout: RolloutStatus): string {
  const { operation, state, waves, sites, message } = rollout;
  const counts = sitesByState(rollout);
  const more = (['failed', 'held'] as const).flatMap((each) => {
    const many = counts.get(each) ?? 0;
    return many === 0 ? [] : [`, ${many} ${each}`];
  });
  const current = currentWave(rollout);
  const place = waves.slice(0, current).at(-1);
  const wave = place ? `, wave ${printable(place.name)} (${current} of ${waves.length})` : '';
  const done = `${counts.get('done') ?? 0} of ${sites.size} ${sites.size === 1 ? 'site' : 'sites'} done`;
  const reason = message === undefined ? '' : `; ${plainText(message)}`;
  return `${operationNames[operation]} ${state}${wave}: ${done}${more.join('')}${reason}`;
}

/** State of a site in the newest rollout that includes it: `failed in wave 2: timed out`. `rollouts` is sorted, newest first. */
export function siteRolloutText(rollouts: readonly RolloutStatus[], name: string): string | undefined {
  for (const { operation, sites } of rollouts) {
    const site = sites.get(name);
    if (site === undefined) continue;
    const { state, wave, cause } = site;
    const named = operation === 'boot' ? '' : `${operation} `;
    const place = wave === undefined ? '' : ` in wave ${printable(wave)}`;
    return `${named}${state}${place}${cause === undefined ? '' : `: ${plainText(cause)}`}`;
  }
  return undefined;
}

const maxCharacters = 300;

/** The file may have been written by another program. */
function plainText(text: string): string {
  return printable(redactSecrets(text)).slice(0, maxCharacters);
}
