import { isError, type Problem } from '../../../core/problem.js';

/**
 * Formats problems as workflow commands. GitHub shows them at their line in a pull request. Source: actions/toolkit
 * packages/core/src/command.ts
 */
export function githubAnnotations(problems: readonly Problem[]): string {
  return problems.map((found) => `${annotation(found)}\n`).join('');
}

function annotation(found: Problem): string {
  const { line, col, length = 1 } = found.at ?? {};
  const properties = [
    ...(found.at === undefined ? [] : [['file', found.at.file]]),
    ...(line === undefined ? [] : [['line', String(line)]]),
    ...(col === undefined ? [] : [['col', String(col)]]),
    ...(col === undefined ? [] : [['endColumn', String(col + length)]]),
    ['title', found.code],
  ].map(([name = '', value = '']) => `${name}=${escapedProperty(value)}`);
  const hint = found.hint === undefined ? '' : `\nhint: ${found.hint}`;
  return `::${isError(found) ? 'error' : 'warning'} ${properties.join(',')}::${escapedData(found.message + hint)}`;
}

function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
