import type { ApiAccess } from '../../fleet/wait/index.js';
import type { GlobalOptions } from '../options.js';
import { realClock } from '../real-clock.js';
import { stateAccess } from '../request.js';

/** Access to the APIs of sites with the keys and the trust of the options. */
export function apiAccess(
  options: GlobalOptions & { readonly trustKubeconfig?: true },
): Omit<ApiAccess, 'stop'> {
  return {
    access: stateAccess(options),
    isTrusted: options.trustKubeconfig === true,
    present: () => realClock.present(),
  };
}
