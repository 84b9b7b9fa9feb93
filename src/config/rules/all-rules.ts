import type { Rule } from '../schema/rule.js';
import { installRules } from './install/install-rules.js';
import { snoRules } from './sno/sno-rules.js';

/** Rules that are enforced by reading a file and by its schema, before the rules on values run. */
const fileRules: readonly Rule<never>[] = [
  {
    number: 1,
    fields: [],
    text: 'install-config.yaml exists and is readable; sno-config.yaml is optional.',
    origin: 'openshift-install',
  },
  {
    number: 2,
    fields: [],
    text: 'A config is at most 1 MiB, 50 000 YAML tokens and 64 levels deep.',
    origin: 'sno-install',
  },
  {
    number: 3,
    fields: [],
    text: 'A config is UTF-8 text without control characters; a byte order mark and Windows line breaks are accepted.',
    origin: 'sno-install',
  },
  {
    number: 4,
    fields: [],
    text: 'A config is one YAML 1.1 document, a map. Anchors, aliases and merge keys are supported; tags only for plain data.',
    origin: 'openshift-install',
  },
  {
    number: 5,
    fields: [],
    text: 'A field occurs once, in any letter case.',
    origin: 'openshift-install',
  },
  {
    number: 6,
    fields: [],
    text: 'A field exists in the format, with the same upper and lower case.',
    origin: 'openshift-install',
  },
  {
    number: 7,
    fields: [],
    text: 'A field has the type of the format. null counts as not set; a string may be unquoted and is read literally.',
    origin: 'openshift-install',
  },
  {
    number: 8,
    fields: ['apiVersion', 'metadata.name', 'baseDomain', 'platform', 'pullSecret'],
    text: 'apiVersion, metadata.name, baseDomain, platform and pullSecret are set and not empty.',
    origin: 'openshift-install',
  },
  {
    number: 9,
    fields: [],
    text: 'A field with allowed values or a range has a value of them.',
    origin: 'openshift-install',
  },
];

/** Documentation of a rule, for docs and `explain`. */
export interface RuleDocument extends Pick<Rule<never>, 'number' | 'fields' | 'text' | 'origin'> {
  readonly file: 'install-config.yaml' | 'sno-config.yaml' | 'both';
}

export const allRules: readonly RuleDocument[] = [
  ...fileRules.map((rule) => documentOf(rule, 'both')),
  ...installRules.map((rule) => documentOf(rule, 'install-config.yaml')),
  ...snoRules.map((rule) => documentOf(rule, 'sno-config.yaml')),
].toSorted((left, right) => left.number - right.number);

function documentOf<Subject>(rule: Rule<Subject>, file: RuleDocument['file']): RuleDocument {
  const { number, fields, text, origin } = rule;
  return { number, fields, text, origin, file };
}
