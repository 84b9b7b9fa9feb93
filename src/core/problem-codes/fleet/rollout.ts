import type { CodeTable } from '../entry.js';

/** Problems of operations on the sites of a fleet in waves. */
export const rolloutCodes = {
  'rollout/plan': {
    severity: 'error',
    fault: 'rollout.yaml is missing, or a number, duration, time or zone in it is not valid',
    why: 'The plan sets the waves, the failure limit and the time windows.',
    fix: 'Correct the field. `sno-install explain rollout` describes all fields.',
    example: ['wave: 10%', 'failureLimit: 5%', 'until: install-complete'].join('\n'),
  },
  'rollout/selection': {
    severity: 'error',
    fault: '`canary` or `hold` of rollout.yaml names an unknown column, or matches no site of the table',
    why: 'With a misspelled selection, sites would start too early, or although they are on hold.',
    fix: 'Name a column of the table or a variable of fleet.yaml, and a value that a site has. Remove a selection that is not needed.',
  },
  'rollout/state': {
    severity: 'error',
    fault: 'the state file of a rollout was not written by sno-install, or by another operation',
    why: 'The file lists the sites that have started. Booting a site again would wipe its disk.',
    fix: 'Restore the file from a copy.',
  },
  'rollout/site-failed': {
    severity: 'error',
    fault: 'a site could not be started, or did not reach the criterion of the plan in time',
    why: 'The message contains the last answer of its API, the last report of its node or the finding in its log bundle.',
    fix: 'Fix the cause, and run the same command with `--retry-failed`. It starts a site only if it was not started before.',
  },
  'rollout/stopped': {
    severity: 'error',
    fault: 'the number of failed sites in a wave has reached `failureLimit`',
    why: 'The failures may have a common cause that affects the other sites too.',
    fix: 'Fix the cause, and run the same command with `--retry-failed`. To continue without the failed sites, put them on hold or raise the limit in the plan.',
  },
} as const satisfies CodeTable;
