import { processSurroundings } from '../surroundings.js';
import { isError, type Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { shellWord } from '../../formats/shell-word.js';
import { pullSecretName, type ImportedSite } from '../../import/imported-site.js';
import { checkImport } from '../../import/check-import.js';
import { secretFiles } from '../../import/secret-files.js';
import { importOneSite, type SourceKind } from '../../import/sources.js';
import type { SourceFolder } from '../../run/sources/source-folder.js';
import { count } from '../../run/problem-text.js';
import type { GlobalOptions } from '../options.js';
import { exitCodeOf, report, reportProblems } from '../output/report.js';
import { commandLine } from '../../run/effects/command-line.js';
import { openImportSource } from './import-inputs.js';
import { outsideInputs, dryRunOf, withoutGeneratedManifests } from '../../import/dry-run.js';
import type { ImportOptions } from './import-options.js';
import { writeFolder } from '../../import/write-folder.js';

type Options = GlobalOptions & ImportOptions;

/** Imports a configuration of another installer into --dir. Writes nothing if validation fails. */
export async function importSite(kind: SourceKind, from: string, options: Options): Promise<void> {
  const opened = openImportSource(kind, from, options);
  if (!opened) return;
  const { source, overrides } = opened;
  // Problem locations are relative to the source folder.
  const telling = { ...options, dir: source.dir };
  const { path, inputs } = source;
  const { site: name } = options;
  const imported = importOneSite(
    kind,
    { inputs, path, ...(name !== undefined && { site: name }) },
    overrides,
  );
  if (!imported.ok) {
    report(telling, { problems: imported.problems });
    return;
  }
  const surroundings = processSurroundings();
  const { site, generated } =
    kind === 'install-dir'
      ? await withoutGeneratedManifests(imported.value, source, surroundings)
      : { site: imported.value, generated: [] };
  const problems = await checkImport(
    site,
    (made) => dryRunOf('single-node-ignition-config', made, surroundings),
    outsideInputs(surroundings),
  );
  if (problems.some(isError)) {
    report(telling, { problems });
    return;
  }
  await write(options, { site, generated, problems, source });
}

interface Imported {
  readonly site: ImportedSite;
  readonly generated: readonly string[];
  readonly problems: readonly Problem[];
  readonly source: SourceFolder;
}

async function write(options: Options, { site, generated, problems, source }: Imported): Promise<void> {
  const { dir } = options;
  const written = await writeFolder({
    dir,
    from: source.dir,
    files: site.files,
    isForced: options.overwrite === true,
    command: commandLine(),
  });
  const ofWriting = problemsOf(written);
  const isWritten = written.ok;
  if (options.output === 'text') {
    reportProblems({ ...options, dir: source.dir }, problems);
    report(options, { problems: ofWriting, ...(isWritten && { text: summary(site, generated, options) }) });
    return;
  }
  report(
    { ...options, dir: source.dir },
    {
      problems: [...problems, ...ofWriting],
      json: {
        site: site.name,
        dir,
        files: site.files.map(({ path }) => path),
        secrets: secretFiles(site.files).map(({ path }) => path),
        generated,
      },
    },
  );
  process.exitCode = exitCodeOf([...problems, ...ofWriting]);
}

function summary(
  { name, files, problems }: ImportedSite,
  generated: readonly string[],
  { dir }: Options,
): string {
  const unplaced = problems.filter(({ code }) => code === 'import/no-place').length;
  const lines = [
    `Imported ${name} into ${dir}: ${files.map(({ path }) => path).join(', ')}.`,
    ...(unplaced > 0 ? [`${count(unplaced, 'field')} not imported; see the warnings above.`] : []),
    ...(generated.length > 0
      ? [`${count(generated.length, 'manifest')} not imported: \`create\` generates them.`]
      : []),
    ...secretFiles(files).map(({ path, holds }) => {
      if (path === pullSecretName)
        return `${pullSecretName} is a secret in plain text; do not commit it to Git.`;
      const also =
        path === 'install-config.yaml' && holds === 'the pull secret'
          ? ', or move the secret to a separate file and set pullSecretFile in sno-config.yaml'
          : '';
      return `${path} holds ${holds} in plain text; do not commit it to Git${also}.`;
    }),
    `Next: \`sno-install validate --dir ${shellWord(dir)}\`.`,
  ];
  return `${lines.join('\n')}\n`;
}
