import type { CodeTable } from '../entry.js';

/** Problems of the Kubernetes Job that runs `fleet create`. */
export const jobCodes = {
  'job/setting': {
    severity: 'error',
    fault:
      '`--shards` is from 1 to 10000, `--name` a name of up to 40 lower-case letters, digits and `-`, `--image` a reference, without a login',
    why: 'The API refuses anything else, or all that reads the manifest sees it.',
    fix: 'Mend the option that is named.',
  },
  'job/files': {
    severity: 'error',
    fault: 'the files of the fleet can be read',
    why: 'A pod gets them as they are now.',
    fix: 'Mend the file that is named.',
  },
  'job/stdin': {
    severity: 'error',
    fault: 'no config takes a value from the standard input',
    why: 'A pod has none.',
    fix: 'Name a file of the base, or `env:NAME`: both are taken from a Secret.',
  },
  'job/too-large': {
    severity: 'error',
    fault:
      'each file of the fleet fits into a ConfigMap or a Secret, and the names of all into the Job: a megabyte',
    why: 'The API refuses larger ones. A table of ten thousand sites fits, and so do some seven thousand files, fewer where names are long.',
    fix: 'Split the fleet into several, each with a Job of its own.',
  },
  'job/there': {
    severity: 'error',
    fault: 'no Job of this name is there yet',
    why: 'A Job cannot be changed; what it made is in the store, and another one goes on from there.',
    fix: 'Delete it, or give another `--name`.',
  },
  'job/refused': {
    severity: 'error',
    fault: 'the API takes ConfigMaps and the Job',
    why: 'Its reason is in the message.',
    fix: 'Let the user of the kubeconfig create `configmaps` and `jobs` in the namespace, or apply what is printed.',
  },
} as const satisfies CodeTable;
