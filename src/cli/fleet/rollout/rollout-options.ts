import type { BootOptions } from '../boot/boot-options.js';
import type { FleetOptions } from '../fleet-options.js';
import type { WebhookOptions } from '../webhook-options.js';
import type { FleetWaitOptions } from '../wait/fleet-wait-options.js';

/** Options of all operations that follow a rollout plan. */
export interface RolloutOptions extends FleetOptions, WebhookOptions {
  readonly plan?: string;
  readonly dryRun?: true;
  readonly retryFailed?: true;
}

export interface RolloutBootOptions
  extends
    RolloutOptions,
    Pick<
      BootOptions,
      'media' | 'mediaUrl' | 'credentialsCommand' | 'jobs' | 'timeout' | 'mediaTimeout' | 'allowOutdated'
    >,
    Pick<FleetWaitOptions, 'tokens' | 'trustKubeconfig'> {}
