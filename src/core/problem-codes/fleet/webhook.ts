import type { CodeTable } from '../entry.js';

/** Problems of the webhook that gets the events of a rollout. */
export const webhookCodes = {
  'webhook/address': {
    severity: 'error',
    fault: 'the URL of `--webhook` is not an https URL, or contains a user or password',
    why: 'Events name sites and the causes of failures, and the token is sent with them.',
    fix: 'Use https; http is allowed only for 127.0.0.1, ::1 and localhost. Write the token to a file for `--webhook-token-file`.',
  },
  'webhook/failed': {
    severity: 'warning',
    fault: 'the receiver of `--webhook` did not get all events',
    why: 'Events never delay a rollout: after five attempts an event is dropped.',
    fix: 'Read the state of all sites from the state file in the output folder. Check the receiver before the next rollout.',
  },
} as const satisfies CodeTable;
