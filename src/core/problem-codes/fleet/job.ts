import type { CodeTable } from '../entry.js';

/** Problems of the Kubernetes Job that runs `fleet create`. */
export const jobCodes = {
  'job/setting': {
    severity: 'error',
    fault: 'an option of `fleet job` is invalid',
    why: 'The API would reject the Job, or a login would be readable in its manifest.',
    fix: 'Write `--shards` from 1 to 10000, `--name` with up to 40 lower-case letters, digits and `-`, and `--image` as an image reference without a login.',
  },
  'job/there': {
    severity: 'error',
    fault: 'a Job with this name already exists',
    why: 'A Job cannot be changed. A new Job continues with the sites that are already in the store.',
    fix: 'Delete the old Job when it is no longer running, or use another `--name`.',
  },
  'job/refused': {
    severity: 'error',
    fault: 'the API rejects the ConfigMap or the Job',
    why: 'The message contains the error of the API.',
    fix: 'Allow the user of the kubeconfig to create `configmaps` and `jobs` in the namespace, or apply the printed manifest yourself.',
  },
} as const satisfies CodeTable;
