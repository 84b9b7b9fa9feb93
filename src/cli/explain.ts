import type { FieldDocument } from '../config/explain.js';
import { problemCatalog, type ProblemCode } from '../core/problem-codes/catalog.js';
import type { CodeEntry } from '../core/problem-codes/entry.js';
import { closest } from '../core/suggest.js';
import type { GlobalOptions } from './options.js';
import { report } from './output/report.js';
import { maskedArgument } from '../core/quoted.js';
import { usageError } from './usage-error.js';

/** Prints the documentation of a config field or problem code. */
export async function explain(topic: string, options: GlobalOptions): Promise<void> {
  if (isProblemCode(topic)) {
    const entry = problemCatalog[topic];
    report(options, { problems: [], text: codeText(topic), json: { code: topic, ...entry } });
    return;
  }
  const { explainField, suggestFields } = await import('../config/explain.js');
  const field = explainField(topic);
  if (field !== undefined) {
    report(options, { problems: [], text: fieldText(field), json: { field } });
    return;
  }
  const codes = topic.includes('/') ? [closest(topic, Object.keys(problemCatalog)) ?? ''] : [];
  const likely = [...codes, ...suggestFields(topic)].filter((each) => each !== '');
  const what = topic.includes('/') ? 'problem code' : 'field';
  usageError(
    options,
    `there is no ${what} \`${maskedArgument(topic)}\``,
    likely.length > 0
      ? `did you mean ${likely.join(', or ')}?`
      : 'fields start at install-config or sno-config',
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
    `To do: ${fix}`,
    ...listOf('Example', example?.split('\n') ?? []),
    '',
  ].join('\n');
}

function fieldText(field: FieldDocument): string {
  const name = field.path === '' ? field.file : `${field.path}  (${field.file})`;
  const facts = [
    `Type:     ${field.type}`,
    ...(field.required ? ['Required: yes'] : []),
    ...(field.deprecated ? ['Deprecated: it is converted, with a warning'] : []),
    ...(field.secret ? ['Secret:   its value is never shown'] : []),
    ...(field.default === undefined ? [] : [`Default:  ${JSON.stringify(field.default)}`]),
    ...(field.example === undefined ? [] : [`Example:  ${JSON.stringify(field.example)}`]),
    ...(field.values === undefined ? [] : [`Values:   ${field.values.join(', ')}`]),
  ];
  return [
    name,
    ...(field.description === '' ? [] : ['', field.description]),
    '',
    ...facts,
    ...listOf(
      'Rules',
      field.rules.map(({ number, text }) => `${String(number).padStart(3)}  ${text}`),
    ),
    ...listOf('Fields', fieldLines(field)),
    '',
  ].join('\n');
}

function fieldLines({ fields }: FieldDocument): readonly string[] {
  const width = Math.max(0, ...fields.map(({ name }) => name.length));
  return fields.map(({ name, type, required, deprecated }) => {
    const mark = required ? ', required' : deprecated ? ', deprecated' : '';
    return `${name.padEnd(width)}  ${type}${mark}`;
  });
}

function listOf(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}
