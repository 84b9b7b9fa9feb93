import type { CodeTable } from './entry.js';

/** Problems of the command line and the environment. */
export const usageCodes = {
  'usage/unknown-argument': {
    severity: 'error',
    fault: 'a command, option or argument does not exist',
    why: 'sno-install does not guess mistyped commands.',
    fix: 'Use the suggestion, or run `sno-install --help`.',
  },
  'usage/conflicting-options': {
    severity: 'error',
    fault: 'two options or arguments exclude each other',
    why: 'It is unclear which of the two you want.',
    fix: 'Remove one of them.',
  },
  'usage/unreadable-file': {
    severity: 'error',
    fault: 'a file on the command line cannot be read',
    why: 'The command needs the content of the file.',
    fix: 'Check the path and the permissions of the file.',
  },
  'usage/environment': {
    severity: 'error',
    fault: 'an environment variable that is an input has an invalid value',
    why: 'Its value becomes part of the Ignition config, like a field of install-config.yaml.',
    fix: 'Unset the variable, or set it to a value of the form that the message names.',
  },
  'usage/proxy': {
    severity: 'error',
    fault: 'HTTPS_PROXY is not an http or https URL',
    why: 'Requests to a store or a webhook go through this proxy.',
    fix: 'Set HTTPS_PROXY to a URL such as `http://proxy.example.com:3128`, or unset it.',
  },
  'usage/environment-changed': {
    severity: 'warning',
    fault: 'an environment variable that was an input of the last run is not set now',
    why: 'Without the variable the outputs differ from those of the last run.',
    fix: 'Set the variable again, or ignore the warning if you removed it on purpose; the next run does not repeat it.',
  },
} as const satisfies CodeTable;
