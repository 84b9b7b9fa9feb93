import type { CodeTable } from '../entry.js';

/** Problems of the outputs of `fleet create`, found by commands that read them. */
export const fleetOutputCodes = {
  'fleet/not-made': {
    severity: 'error',
    fault: 'a site has no outputs yet',
    why: 'Without this error the result would look as if the site were fine.',
    fix: 'Run `sno-install fleet create`, or exclude the site by `--only`.',
  },
  'fleet/output-gone': {
    severity: 'error',
    fault: 'an output is missing from the folder of its site',
    why: 'The result would not include its content.',
    fix: 'Run `sno-install fleet create`; it writes the same file again, byte for byte.',
  },
  'fleet/output-changed': {
    severity: 'warning',
    fault: 'an output of a site was changed by hand',
    why: 'The result describes the changed file, which is not what `fleet create` wrote.',
    fix: 'Move the file away and run `sno-install fleet create`, which writes it again.',
  },
  'fleet/output-unreadable': {
    severity: 'error',
    fault: 'an output of a site cannot be read',
    why: 'Its content is not part of the result.',
    fix: 'Check its permissions. If the file is damaged, move it away and run `sno-install fleet create`.',
  },
} as const satisfies CodeTable;
