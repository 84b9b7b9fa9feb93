import { fileRules } from './file.js';
import { installRules } from './install/install-rules.js';
import type { Rule } from '../../fields/rule.js';
import { snoRules } from './sno/sno-rules.js';

/** What docs and `explain` say of a rule. */
export interface RuleDocument extends Pick<Rule<never>, 'number' | 'fields' | 'text' | 'origin'> {
  readonly file: 'install-config.yaml' | 'sno-config.yaml' | 'both';
}

/** Every rule on the configs, by number. */
export const allRules: readonly RuleDocument[] = [
  ...fileRules.map((rule) => documentOf(rule, 'both')),
  ...installRules.map((rule) => documentOf(rule, 'install-config.yaml')),
  ...snoRules.map((rule) => documentOf(rule, 'sno-config.yaml')),
].toSorted((left, right) => left.number - right.number);

function documentOf<Subject>(rule: Rule<Subject>, file: RuleDocument['file']): RuleDocument {
  const { number, fields, text, origin } = rule;
  return { number, fields, text, origin, file };
}
