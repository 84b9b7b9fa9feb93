import { isError, type Problem } from '../../../core/problem.js';
import { renderProblem } from '../../../core/render-problem.js';

/** The problems of one directory. */
export interface CheckedDirectory {
  readonly dir: string;
  readonly problems: readonly Problem[];
}

/**
 * Formats problems as JUnit XML: a suite per directory and a case per file with problems, or one case for a directory without
 * problems. An error fails its case; a warning is in its output. Source: the XML schema of Jenkins' xunit plugin, junit-10.xsd
 */
export function junitReport(directories: readonly CheckedDirectory[]): string {
  const suites = directories.flatMap(suite);
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites, '</testsuites>', ''].join(
    '\n',
  );
}

function suite({ dir, problems }: CheckedDirectory): readonly string[] {
  const files = [...new Set(problems.map(({ at }) => at?.file ?? dir))];
  const cases = files.length === 0 ? [dir] : files;
  const failures = cases.filter((file) => ofFile(problems, file, dir).some(isError)).length;
  return [
    `  <testsuite name="${escaped(dir)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="0">`,
    ...cases.flatMap((file) => testCase(file, dir, ofFile(problems, file, dir))),
    '  </testsuite>',
  ];
}

function ofFile(problems: readonly Problem[], file: string, dir: string): readonly Problem[] {
  return problems.filter(({ at }) => (at?.file ?? dir) === file);
}

function testCase(file: string, dir: string, problems: readonly Problem[]): readonly string[] {
  const head = `    <testcase classname="${escaped(dir)}" name="${escaped(file)}"`;
  if (problems.length === 0) return [`${head}/>`];
  const warnings = problems.filter((found) => !isError(found)).map((found) => renderProblem(found));
  return [
    `${head}>`,
    ...problems.filter(isError).map(failure),
    ...(warnings.length === 0 ? [] : [`      <system-out>${escaped(warnings.join('\n'))}</system-out>`]),
    '    </testcase>',
  ];
}

function failure(found: Problem): string {
  const head = `<failure type="${found.code}" message="${escaped(found.message)}">`;
  return `      ${head}${escaped(renderProblem(found))}</failure>`;
}

/** Escapes text for XML 1.0, which does not allow most control characters. Source: W3C XML 1.0 §2.2 */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\u00b7');
}
