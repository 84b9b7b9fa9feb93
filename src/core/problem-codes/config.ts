import type { CodeTable } from './entry.js';

/** Problems of install-config.yaml and sno-config.yaml. */
export const configCodes = {
  'config/file-missing': {
    severity: 'error',
    rule: 'install-config.yaml stands in the directory',
    why: 'It says what to install.',
    fix: 'Run `sno-install create install-config`, or name its directory with `--dir`.',
  },
} as const satisfies CodeTable;
