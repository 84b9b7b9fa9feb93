import type { CodeTable } from './entry.js';

/** Problems of the command line and the environment. */
export const usageCodes = {
  'usage/unknown-argument': {
    severity: 'error',
    fault: 'a command, option or argument does not exist',
    why: 'A mistyped command could do something that you did not want.',
    fix: 'Use the suggestion, or run `sno-install --help`.',
  },
  'usage/unreadable-file': {
    severity: 'error',
    fault: 'a file on the command line cannot be read',
    why: 'The command needs its content for the config.',
    fix: 'Check the path and the permissions of the file.',
  },
  'usage/environment': {
    severity: 'error',
    fault: 'an environment variable that is an input has an invalid value',
    why: 'Its value goes into the Ignition config just like a field of install-config.yaml.',
    fix: 'Unset the variable, or set it to a value of the form that the message names.',
  },
  'usage/environment-changed': {
    severity: 'warning',
    fault: 'an environment variable that was an input of the last run is not set now',
    why: 'Without the variable the same directory gives different outputs, usually by mistake.',
    fix: 'Set the variable again. If you removed it on purpose, continue: the next run prints no warning.',
  },
} as const satisfies CodeTable;
