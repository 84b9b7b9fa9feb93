import type { CodeTable } from '../entry.js';

/** Problems of the outputs of `fleet create`, found by commands that read them. */
export const fleetOutputCodes = {
  'fleet/not-made': {
    severity: 'error',
    fault: 'each site whose outputs are looked at has been made',
    why: 'There is nothing to look at, and to leave it out would look as if all was well.',
    fix: 'Run `sno-install fleet create`, or leave the site out by `--only`.',
  },
  'fleet/output-gone': {
    severity: 'error',
    fault: 'each output that a site was made with lies in its folder',
    why: 'What was in it is told of no more.',
    fix: '`sno-install fleet create` makes it again, the same to the byte.',
  },
  'fleet/output-changed': {
    severity: 'warning',
    fault: 'the outputs of a site are as they were made',
    why: 'What is told is what lies there now, and that is not what `fleet create` wrote.',
    fix: 'Delete the file, and run `sno-install fleet create`: it makes it again.',
  },
  'fleet/output-unreadable': {
    severity: 'error',
    fault: 'the outputs of a site can be read',
    why: 'What is in them is not known.',
    fix: 'Look at their permissions; delete what is damaged, and run `sno-install fleet create`.',
  },
} as const satisfies CodeTable;
