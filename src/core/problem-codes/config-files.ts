import type { CodeTable } from './entry.js';

/** Problems of a config file: reading it, its YAML, and its schema. */
export const configFileCodes = {
  'config/file-missing': {
    severity: 'error',
    rule: 'install-config.yaml stands in the directory',
    why: 'It says what to install.',
    fix: 'Run `sno-install create install-config`, or name the directory of yours with `--dir`.',
  },
  'config/file-unreadable': {
    severity: 'error',
    rule: 'install-config.yaml and sno-config.yaml are files that can be read',
    why: 'A folder or a file of somebody else in their place would silently be taken for none.',
    fix: 'Move away what stands there, or allow yourself to read it.',
  },
  'config/file-too-large': {
    severity: 'error',
    rule: 'a config is at most 1 MiB',
    why: 'A config has a few kilobytes; a larger file is another one by mistake.',
    fix: 'Look at what the file holds. A trust bundle of all public authorities is not needed: the node has them.',
  },
  'config/encoding': {
    severity: 'error',
    rule: 'a config is UTF-8 text without control characters',
    why: 'Other encodings, NUL bytes and the like are read differently by every tool.',
    fix: 'Save the file as UTF-8 with line breaks of Unix or Windows.',
  },
  'config/yaml-syntax': {
    severity: 'error',
    rule: 'a config is valid YAML',
    why: 'Nothing can be said of the fields before the text can be read.',
    fix: 'Mend the place that is shown. Texts with ": ", "#" or quotes in them go in single quotes.',
  },
  'config/yaml-size': {
    severity: 'error',
    rule: 'a config has at most 50 000 YAML tokens and 64 levels, and its aliases do not multiply',
    why: 'Such a file is made to keep a program busy, or is not a config.',
    fix: 'Look at what the file holds.',
  },
  'config/not-one-document': {
    severity: 'error',
    rule: 'a config is one YAML document, a map of fields',
    why: 'Of several documents all but one would be ignored.',
    fix: 'Keep one document.',
  },
  'config/duplicate-field': {
    severity: 'error',
    rule: 'a field is given once, whatever the case of its letters',
    why: 'Which of the two counts depends on the tool.',
    fix: 'Keep one of the two.',
  },
  'config/unknown-field': {
    severity: 'error',
    rule: 'fields are those of the format, in its upper and lower case',
    why: 'A mistyped field would be ignored, and its default taken.',
    fix: 'Take the suggestion; `sno-install explain` lists the fields.',
  },
  'config/missing-field': {
    severity: 'error',
    rule: 'required fields are given and not empty',
    why: 'There is no default that could be right.',
    fix: 'Add the field; `sno-install explain FIELD` says what it is.',
  },
  'config/wrong-type': {
    severity: 'error',
    rule: 'a field is of the type that the format says',
    why: 'A list where a text belongs cannot be read as one.',
    fix: 'Write it in the form that the message names.',
  },
  'config/unsupported-value': {
    severity: 'error',
    rule: 'a field with a fixed set of values, or a range, has one of them',
    why: 'Operators on the node would refuse it, or silently take another.',
    fix: 'Take one of the values that the message lists.',
  },
} as const satisfies CodeTable;
