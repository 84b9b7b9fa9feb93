import type { CodeTable } from './entry.js';

/** Problems of `why`. */
export const whyCodes = {
  'why/unknown': {
    severity: 'error',
    rule: '`why` is asked about something that the target writes',
    why: 'What is not there has no reason; most often it belongs to another target.',
    fix: 'Name the target with `--target`, and look at `inspect` or `render ignition` for what there is.',
  },
} as const satisfies CodeTable;
