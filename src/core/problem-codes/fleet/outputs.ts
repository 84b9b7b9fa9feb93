import type { CodeTable } from '../entry.js';

/** Problems of the outputs of `fleet create`, found by commands that read them. */
export const fleetOutputCodes = {
  'fleet/not-made': {
    severity: 'error',
    fault: 'a site has no outputs yet',
    why: 'Without outputs the command cannot check this site.',
    fix: 'Run `sno-install fleet create`, or exclude the site by `--only`.',
  },
  'fleet/outdated': {
    severity: 'error',
    fault: 'the outputs of a site do not match the current files of its fleet',
    why: 'The boot medium would install an outdated configuration, or its certificates have expired.',
    fix: 'Run `sno-install fleet create`, then the same command again.',
  },
  'fleet/output-gone': {
    severity: 'error',
    fault: 'an output is missing from the folder of its site',
    why: 'The command cannot check the missing file.',
    fix: 'Run `sno-install fleet create`; it writes an identical file.',
  },
  'fleet/output-changed': {
    severity: 'warning',
    fault: 'an output of a site was changed by hand',
    why: 'The result describes the changed file, not the one that `fleet create` wrote.',
    fix: 'Move the file away and run `sno-install fleet create`, which writes it again.',
  },
  'fleet/output-unreadable': {
    severity: 'error',
    fault: 'an output of a site cannot be read',
    why: 'The result does not include the file.',
    fix: 'Check its permissions. If the file is damaged, move it away and run `sno-install fleet create`.',
  },
} as const satisfies CodeTable;
