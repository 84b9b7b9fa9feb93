// The report of a run: acceptance-RELEASE.json and the same as Markdown. Written after each step, so that a stopped run leaves one.
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const reportFormat = 'sno-install/acceptance-v1';

/** Writes both files. Every text goes through `redact`. */
export function writeReport(folder, report, redact) {
  const shown = redacted(report, redact);
  const name = `acceptance-${fileName(report.release)}`;
  replaceFile(join(folder, `${name}.json`), `${JSON.stringify(shown, undefined, 2)}\n`);
  replaceFile(join(folder, `${name}.md`), markdown(shown));
  return join(folder, `${name}.json`);
}

/** The report in a folder; undefined if there is none. */
export function readReport(folder) {
  const names = readdirSync(folder).filter((name) => /^acceptance-.*\.json$/.test(name));
  if (names.length > 1) throw new Error(`${folder} contains several reports: ${names.join(', ')}`);
  const [name] = names;
  if (name === undefined) return undefined;
  const report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  if (report.format !== reportFormat) throw new Error(`${join(folder, name)} is not a report of this script`);
  return report;
}

/** The state of the whole run. */
export function resultOf(steps) {
  if (steps.some(({ state }) => state === 'failed')) return 'failed';
  return steps.every(({ state }) => state === 'passed' || state === 'skipped') ? 'passed' : 'incomplete';
}

export function markdown({ release, result, versions, options, steps }) {
  const findings = steps.flatMap(({ title, findings }) =>
    findings.map((text) => `- ${title}: ${cell(text)}`),
  );
  const facts = steps.flatMap(({ facts = {} }) => Object.entries(facts));
  return [
    `# Acceptance of ${release}: ${result}`,
    '',
    ...table(
      ['step', 'result', 'took', 'started'],
      steps.map((step) => [
        step.title,
        step.state,
        step.seconds === undefined ? '' : duration(step.seconds),
        step.startedAt ?? '',
      ]),
    ),
    '',
    '## Findings',
    '',
    ...(findings.length === 0 ? ['None.'] : findings),
    '',
    '## Versions and facts',
    '',
    ...table(['name', 'value'], [...Object.entries(versions), ...Object.entries(options), ...facts]),
    '',
  ].join('\n');
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map(
    (row) => `| ${row.map((each) => cell(String(each))).join(' | ')} |`,
  );
}

/** A text in one line that cannot end a cell or begin markup. */
function cell(text) {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\|`<>[\]*_]/g, (character) => `\\${character}`);
}

function duration(seconds) {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function fileName(release) {
  return release.replaceAll(/[^\w.+-]/g, '_');
}

function redacted(value, redact) {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((each) => redacted(each, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [redact(name), redacted(each, redact)]),
  );
}

function replaceFile(path, text) {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
