import type { CodeTable } from './entry.js';

/** Problems of a config file: reading it, its YAML, and its schema. */
export const configFileCodes = {
  'config/file-missing': {
    severity: 'error',
    fault: 'the directory has no install-config.yaml',
    why: 'This file describes the cluster to install.',
    fix: 'Run `sno-install create install-config`, or name the directory of your config with `--dir`.',
  },
  'config/file-name': {
    severity: 'error',
    fault: 'a config has a name that is not read, such as sno-config.yml',
    why: 'Its settings would be missing, and the machine would be installed with the defaults.',
    fix: 'Rename it, for example to sno-config.yaml.',
  },
  'config/file-unreadable': {
    severity: 'error',
    fault: 'install-config.yaml or sno-config.yaml cannot be read, or is not a file',
    why: 'Ignoring the file would install a cluster without its settings.',
    fix: 'Give yourself read permission. If the path is a directory, move it away.',
  },
  'config/file-too-large': {
    severity: 'error',
    fault: 'a config file is larger than 1 MiB',
    why: 'A config has a few kilobytes; a larger file is usually the wrong file.',
    fix: 'Check the content of the file. Do not include a bundle of all public authorities: the node already trusts them.',
  },
  'config/encoding': {
    severity: 'error',
    fault: 'a config file is not UTF-8 text, or contains control characters',
    why: 'Tools read other encodings, NUL bytes and control characters differently.',
    fix: 'Save the file as UTF-8 with Unix or Windows line breaks.',
  },
  'config/yaml-syntax': {
    severity: 'error',
    fault: 'a config file is not valid YAML',
    why: 'The fields cannot be read, so the file is not checked further.',
    fix: 'Correct the line in the message. Put a string that contains ": ", "#" or quotes in single quotes.',
    example: [
      'sshKey: ssh-ed25519 AAAA… admin: laptop    # wrong: ": " starts a second field',
      "sshKey: 'ssh-ed25519 AAAA… admin: laptop'  # right",
    ].join('\n'),
  },
  'config/yaml-size': {
    severity: 'error',
    fault:
      'a config file has more than 50 000 YAML tokens, more than 64 levels, or aliases that expand to too much data',
    why: 'Such a file exhausts memory or processor time, or is not a config at all.',
    fix: 'Check the content of the file.',
  },
  'config/not-one-document': {
    severity: 'error',
    fault: 'a config file contains more than one YAML document, or is not a map of fields',
    why: 'Only one document could be used; the settings of the others would be lost.',
    fix: 'Keep one document in the file, with the fields at the top level.',
  },
  'config/duplicate-field': {
    severity: 'error',
    fault: 'a field occurs twice, perhaps in different letter case',
    why: 'Tools differ in which of the two values they use.',
    fix: 'Delete one of the two lines.',
  },
  'config/unknown-field': {
    severity: 'error',
    fault: 'a field does not exist; perhaps it is misspelled or has the wrong letter case',
    why: 'A misspelled field would be ignored, and the node would get the default.',
    fix: 'Use the suggested name; `sno-install explain install-config` and `sno-install explain sno-config` list the fields.',
    example: ['controlplane: {}  # wrong: the field name has a capital P', 'controlPlane: {}  # right'].join(
      '\n',
    ),
  },
  'config/missing-field': {
    severity: 'error',
    fault: 'a required field is missing or empty',
    why: 'The field has no default.',
    fix: 'Add the field; `sno-install explain FIELD` describes it.',
  },
  'config/wrong-type': {
    severity: 'error',
    fault: 'the value of a field has the wrong type, such as a list instead of a string',
    why: 'The value cannot be read.',
    fix: 'Write the value in the form that the message names.',
    example: [
      'ntpSources: time.example.com      # wrong: a string',
      'ntpSources: ["time.example.com"]  # right: a list',
    ].join('\n'),
  },
  'config/unsupported-value': {
    severity: 'error',
    fault: 'the value of a field is not one of the allowed values, or is out of range',
    why: 'Operators on the node would refuse the value, or silently use another.',
    fix: 'Use one of the values that the message lists.',
  },
} as const satisfies CodeTable;
