import type { Fault } from '../analysis/faults/fault.js';
import type { FieldDocument } from '../config/explain.js';
import { problemCatalog, type ProblemCode } from '../core/problem-codes/catalog.js';
import type { CodeEntry } from '../core/problem-codes/entry.js';
import { alignColumns } from '../core/align-columns.js';
import { closest } from '../core/suggest.js';
import { writeYamlInOrder } from '../formats/yaml/write-yaml.js';
import type { GlobalOptions } from './options.js';
import { report } from './output/report.js';
import { maskedArgument } from '../core/quoted.js';
import { usageError } from './usage-error.js';

/** Prints the documentation of a field, problem code or fault; without a topic, the top-level fields of each config. */
export async function explain(topic: string | undefined, options: GlobalOptions): Promise<void> {
  if (topic === undefined) {
    const { explainConfigs } = await import('../config/explain.js');
    const configs = explainConfigs();
    report(options, { problems: [], text: overviewText(configs), json: { configs } });
    return;
  }
  if (isProblemCode(topic)) {
    report(options, { problems: [], text: codeText(topic), json: codeData(topic) });
    return;
  }
  const { explainField, suggestFields } = await import('../config/explain.js');
  const field = explainField(topic);
  if (field !== undefined) {
    report(options, { problems: [], text: fieldText(field), json: { field } });
    return;
  }
  const { faults } = await import('../analysis/faults/all-faults.js');
  const fault = faults.find(({ id }) => id === topic);
  if (fault !== undefined) {
    report(options, { problems: [], text: faultText(fault), json: { fault: faultData(fault) } });
    return;
  }
  const [what, ids] = topic.includes('/')
    ? ['problem code', Object.keys(problemCatalog)]
    : topic.includes('-')
      ? ['fault', faults.map(({ id }) => id)]
      : ['field', []];
  const likely = [closest(topic, ids) ?? '', ...suggestFields(topic)].filter((each) => each !== '');
  usageError(
    options,
    `unknown ${what} \`${maskedArgument(topic)}\``,
    likely.length > 0
      ? `did you mean ${likely.join(', or ')}?`
      : 'run `sno-install explain` to list the top-level fields',
  );
}

function isProblemCode(topic: string): topic is ProblemCode {
  return Object.hasOwn(problemCatalog, topic);
}

function codeText(code: ProblemCode): string {
  const { severity, fault, why, fix, example }: CodeEntry = problemCatalog[code];
  return [
    `${code} (${severity})\n`,
    `Fault: ${fault}.`,
    `Why:   ${why}`,
    `Fix:   ${fix}`,
    ...listOf('Example', example?.split('\n') ?? []),
    '',
  ].join('\n');
}

function codeData(code: ProblemCode): Readonly<Record<string, unknown>> {
  const { severity, fault, why, fix, example }: CodeEntry = problemCatalog[code];
  return { code, severity, description: fault, reason: why, fix, ...(example !== undefined && { example }) };
}

function faultText({ id, title, stages, cause, fix, weight }: Fault): string {
  return [
    `${id} (${weight ?? 'fault'} of analyze)\n`,
    `Fault:  ${title}.`,
    `Cause:  ${cause}`,
    `Fix:    ${fix}`,
    ...(stages === 'any' ? [] : [`Stages: ${stages.join(', ')}`]),
    '',
  ].join('\n');
}

function faultData({ id, title, stages, cause, fix }: Fault): object {
  return { id, title, cause, fix, ...(stages !== 'any' && { stages }) };
}

function fieldText(field: FieldDocument): string {
  const name = field.path === '' ? field.file : `${field.path}  (${field.file})`;
  const facts = [
    `Type:     ${field.type}`,
    ...(field.required ? ['Required: yes'] : []),
    ...(field.deprecated ? ['Deprecated: yes, converted with a warning'] : []),
    ...(field.secret ? ['Secret:   yes, the value is never shown'] : []),
    ...(field.default === undefined ? [] : [`Default:  ${JSON.stringify(field.default)}`]),
    ...(field.values === undefined ? [] : [`Values:   ${field.values.join(', ')}`]),
  ];
  return [
    name,
    ...(field.description === '' ? [] : ['', field.description]),
    '',
    ...facts,
    ...listOf('Example', exampleLines(field)),
    ...listOf(
      'Rules',
      field.rules.map(({ number, text }) => `${String(number).padStart(3)}  ${text}`),
    ),
    ...listOf('Fields', fieldLines(field)),
    '',
  ].join('\n');
}

function overviewText(configs: readonly FieldDocument[]): string {
  return [
    ...configs.flatMap((config) => [config.file, '', ...fieldLines(config).map((line) => `  ${line}`), '']),
    '`sno-install explain TOPIC` describes a field, a problem code, or a fault that `analyze` found.',
    '',
  ].join('\n');
}

/** Name, type and the first sentence of the description of each field. */
function fieldLines({ fields }: FieldDocument): readonly string[] {
  return alignColumns(
    fields.map(({ name, type, required, deprecated, description }) => {
      const mark = required ? ', required' : deprecated ? ', deprecated' : '';
      return [name, `${type}${mark}`, firstSentence(description)];
    }),
  );
}

function firstSentence(text: string): string {
  return /^.*?[^.]\.(?= [A-Z`]|$)/.exec(text)?.[0] ?? text;
}

/** The example as YAML below the path of its field, as it appears in the config. */
function exampleLines({ path, example }: FieldDocument): readonly string[] {
  if (example === undefined) return [];
  const nested = path
    .split('.')
    .toReversed()
    .reduce<unknown>((value, step) => {
      const name = step.replace(/\[\]$/, '');
      return { [name]: name === step ? value : [value] };
    }, example);
  return writeYamlInOrder(nested).trimEnd().split('\n');
}

function listOf(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}
