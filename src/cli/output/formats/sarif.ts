import { problemCatalog, type ProblemCode } from '../../../core/problem-codes/catalog.js';
import type { CodeEntry } from '../../../core/problem-codes/entry.js';
import type { Place, Problem } from '../../../core/problem.js';

/** Formats problems as a SARIF log for code scanning. Source: OASIS SARIF 2.1.0 §3 */
export function sarifLog(problems: readonly Problem[], version: string): string {
  const codes = [...new Set(problems.map(({ code }) => code))].sort();
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'sno-install', version, rules: codes.map(rule) } },
        // The unit of `col`; see Place.
        columnKind: 'utf16CodeUnits',
        results: problems.map((found) => result(found, codes)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function rule(code: ProblemCode): object {
  const { severity, fault, why, fix, example }: CodeEntry = problemCatalog[code];
  return {
    id: code,
    shortDescription: { text: fault },
    fullDescription: { text: why },
    help: { text: example === undefined ? fix : `${fix}\n\n${example}` },
    defaultConfiguration: { level: severity },
  };
}

function result({ code, severity, message, hint, at }: Problem, codes: readonly ProblemCode[]): object {
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: severity,
    message: { text: hint === undefined ? message : `${message}\nhint: ${hint}` },
    ...(at && { locations: [{ physicalLocation: location(at) }] }),
  };
}

function location({ file, line, col, length = 1 }: Place): object {
  const columns = col === undefined ? {} : { startColumn: col, endColumn: col + length };
  return {
    artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
    ...(line !== undefined && { region: { startLine: line, ...columns } }),
  };
}
