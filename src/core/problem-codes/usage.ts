import type { CodeTable } from './entry.js';

/** Problems of the command line and the environment. */
export const usageCodes = {
  'usage/unknown-argument': {
    severity: 'error',
    rule: 'commands, options and arguments are those that `--help` lists',
    why: 'A mistyped command would otherwise do something else than was meant.',
    fix: 'Take the suggestion, or run `sno-install --help`.',
  },
  'usage/unreadable-file': {
    severity: 'error',
    rule: 'files named on the command line can be read',
    why: 'Their contents go into the config.',
    fix: 'Check the path and its permissions.',
  },
  'usage/environment': {
    severity: 'error',
    rule: 'environment variables that are inputs hold a value of their form',
    why: 'They end up in the Ignition config just like a field of install-config.yaml.',
    fix: 'Unset the variable or give it the form that the message names.',
  },
  'usage/environment-changed': {
    severity: 'warning',
    rule: 'environment variables that were inputs of the last run are set in this one',
    why: 'Without the variable the same directory gives other outputs, most often by mistake.',
    fix: 'Set the variable again; or, where the change is meant, carry on: the next run is silent.',
  },
} as const satisfies CodeTable;
