import { problemsOf, type Result } from '../../core/result.js';
import { shellWord } from '../../formats/shell-word.js';
import {
  importPolicies,
  policyColumnsName,
  type ImportedPolicies,
} from '../../import/policies/import-policies.js';
import { secretFiles } from '../../import/secret-files.js';
import { writeFolder } from '../../import/write-folder.js';
import { commandLine } from '../../run/effects/command-line.js';
import { count } from '../../run/problem-text.js';
import { sourceFolder, type SourceFolder } from '../../run/sources/source-folder.js';
import type { GlobalOptions } from '../options.js';
import { exitCodeOf, report, reportProblems } from '../output/report.js';

export interface PolicyOptions {
  readonly sourceCrs?: string;
  readonly overwrite?: true;
}

/** Imports policies as files of a fleet into --dir. */
export async function importPolicyFolder(
  from: string,
  options: GlobalOptions & PolicyOptions,
): Promise<void> {
  const source = sourceFolder(from, 'folder');
  const sourceCrs: Result<SourceFolder> | undefined =
    options.sourceCrs === undefined ? undefined : sourceFolder(options.sourceCrs, 'folder');
  if (!source.ok || sourceCrs?.ok === false) {
    report(options, { problems: [...problemsOf(source), ...(sourceCrs ? problemsOf(sourceCrs) : [])] });
    return;
  }
  const made = importPolicies(source.value.inputs, sourceCrs?.value.inputs);
  // Places of problems are relative to the folder of the policies.
  const telling = { ...options, dir: source.value.dir };
  if (!made.ok) {
    report(telling, { problems: made.problems });
    return;
  }
  const { files, layers, policies, problems, found, taken } = made.value;
  const { dir } = options;
  const isForced = options.overwrite === true;
  const written = await writeFolder({ dir, from: source.value.dir, files, isForced, command: commandLine() });
  const ofWriting = problemsOf(written);
  if (options.output === 'text') {
    reportProblems(telling, problems);
    report(options, { problems: ofWriting, ...(written.ok && { text: summary(made.value, dir) }) });
    return;
  }
  const json = {
    dir,
    files: files.map(({ path }) => path),
    secrets: secretFiles(files).map(({ path }) => path),
    policies,
    objects: { found, imported: taken },
    layers: layers.map(({ folder, labels }) => ({ folder, labels: Object.fromEntries(labels) })),
  };
  report(telling, { problems: [...problems, ...ofWriting], json });
  process.exitCode = exitCodeOf([...problems, ...ofWriting]);
}

function summary({ files, layers, policies, found, taken }: ImportedPolicies, dir: string): string {
  const lines = [
    `Imported ${taken} of ${count(found, 'object')} in ${policies.length === 1 ? '1 policy' : `${policies.length} policies`} into ${dir}.`,
    ...layers.map(({ folder, labels }) => {
      const words = [...labels].map(([key, value]) => (value === '' ? key : `${key}=${value}`));
      return `  ${folder}: ${words.length === 0 ? 'all sites' : `sites with ${words.join(', ')}`}`;
    }),
    ...(files.some(({ path }) => path === policyColumnsName)
      ? [`${policyColumnsName} has the values of single sites: add its columns to the table of the fleet.`]
      : []),
    ...secretFiles(files).map(
      ({ path, holds }) => `${path} holds ${holds} in plain text; do not commit it to Git.`,
    ),
    `Next: name the classes in fleet.yaml (docs/import.md), then \`sno-install fleet validate --dir ${shellWord(dir)}\`.`,
  ];
  return `${lines.join('\n')}\n`;
}
