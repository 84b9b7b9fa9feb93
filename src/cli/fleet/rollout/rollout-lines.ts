import { countSites, type RolloutState, type RolloutNotice } from '../../../fleet/rollout/index.js';
import { rfc3339 } from '../../../core/rfc3339.js';
import type { GlobalOptions } from '../../options.js';
import { progressForm, stderrScreen, type ProgressForm, type Screen } from '../../wait/progress-form.js';

export interface RolloutLines {
  readonly onNotice: (notice: RolloutNotice, state: RolloutState) => void;
  /** Clears the status line. */
  done(): void;
}

/** Shows the events of a rollout while it runs. */
export async function showingRollout<T>(
  options: GlobalOptions,
  run: (onNotice: RolloutLines['onNotice']) => Promise<T>,
): Promise<T> {
  const lines = rolloutLines(progressForm(options), stderrScreen(), () => new Date());
  try {
    return await run(lines.onNotice);
  } finally {
    lines.done();
  }
}

const [anew, end] = ['\r\u001b[K', '\n'];

/** Prints waves, failures and waits, and the number of sites by state; as JSON every event. */
export function rolloutLines(form: ProgressForm, screen: Screen, present: () => Date): RolloutLines {
  if (form === 'silent') return { onNotice: () => undefined, done: () => undefined };
  return {
    onNotice: (notice, state) => {
      if (form === 'json-lines') {
        screen.write(`${JSON.stringify({ at: rfc3339(present()), ...notice })}${end}`);
        return;
      }
      const text = textOf(notice, state);
      const clear = form === 'line' ? anew : '';
      if (text !== undefined) screen.write(`${clear}${rfc3339(present())} ${text}${end}`);
      if (form === 'line')
        screen.write(`${anew}${countsText(state).slice(0, Math.max(0, screen.columns - 1))}`);
    },
    done: () => {
      if (form === 'line') screen.write(anew);
    },
  };
}

/** Undefined for events that a log of thousands of sites does not need. */
function textOf(
  { event, wave = '', site = '', cause = '', message = '' }: RolloutNotice,
  state: RolloutState,
): string | undefined {
  switch (event) {
    case 'wave-started':
      return `wave ${wave} starts: ${countsText(state, wave)}`;
    case 'wave-done':
    case 'wave-failed':
      return `wave ${wave} ${event === 'wave-done' ? 'is done' : 'has failed'}: ${countsText(state, wave)}`;
    case 'site-failed':
      return `${site} failed: ${cause}`;
    case 'rollout-waiting':
      return `waiting: ${message}`;
    case 'site-started':
    case 'site-done':
    case 'rollout-started':
    case 'rollout-stopped':
    case 'rollout-complete':
    case 'rollout-interrupted':
      return undefined;
  }
}

/** Such as `3 done, 1 failed, 6 pending`, of a wave or of all sites. */
export function countsText({ sites }: Pick<RolloutState, 'sites'>, wave?: string): string {
  const own = [...sites.values()].filter((site) => wave === undefined || site.wave === wave);
  const parts = Object.entries(countSites(own)).filter(([, number]) => number > 0);
  return parts.map(([state, number]) => `${number} ${state}`).join(', ');
}
