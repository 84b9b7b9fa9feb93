import type { CodeTable } from '../entry.js';

/** Problems of the Kubernetes Job that runs `fleet create`. */
export const jobCodes = {
  'job/setting': {
    severity: 'error',
    fault: '`--shards`, `--name` or `--image` is invalid',
    why: 'The API would reject the Job, or a login would be readable in its manifest.',
    fix: 'Write `--shards` from 1 to 10000, `--name` with up to 40 lower-case letters, digits and `-`, and `--image` as an image reference without a login.',
  },
  'job/files': {
    severity: 'error',
    fault: 'a file of the fleet cannot be read',
    why: 'The Job contains a copy of all files of the fleet.',
    fix: 'Correct the file in the message.',
  },
  'job/stdin': {
    severity: 'error',
    fault: 'a config of the fleet reads a value from standard input',
    why: 'A pod has no standard input.',
    fix: 'Use a file in the base, or `env:NAME`. The pods get both from a Secret.',
  },
  'job/too-large': {
    severity: 'error',
    fault: 'a file of the fleet is larger than a megabyte, or the fleet has too many files for one Job',
    why: 'The API rejects larger ConfigMaps, Secrets and Jobs. The limit allows a table of ten thousand sites, or about seven thousand files, fewer with long names.',
    fix: 'Split the fleet into several fleets, each with its own Job.',
  },
  'job/there': {
    severity: 'error',
    fault: 'a Job with this name already exists',
    why: 'A Job cannot be changed. A new Job continues with the sites that are already in the store.',
    fix: 'Delete the old Job when it is no longer running, or use another `--name`.',
  },
  'job/refused': {
    severity: 'error',
    fault: 'the API rejects the ConfigMaps or the Job',
    why: 'The message contains the error of the API.',
    fix: 'Allow the user of the kubeconfig to create `configmaps` and `jobs` in the namespace, or apply the printed manifest yourself.',
  },
} as const satisfies CodeTable;
