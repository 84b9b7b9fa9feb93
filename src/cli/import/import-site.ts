import { isError, type Problem } from '../../core/problem.js';
import { problemsOf, success, type Result } from '../../core/result.js';
import { readNamedText } from '../../disk/named-file.js';
import { readReference } from '../../disk/outside/read-reference.js';
import { standardInput } from '../../disk/outside/standard-input.js';
import { templatesFolder } from '../../disk/package.js';
import { shellWord } from '../../formats/shell-word.js';
import type { Inputs } from '../../graph/context.js';
import { pullSecretName, type ImportedSite, type ImportWishes } from '../../imports/imported-site.js';
import { filesOfState } from '../../imports/install-state.js';
import { withoutGenerated } from '../../imports/install-dir/without-generated.js';
import { importedInputs, judgeImport } from '../../imports/judge-import.js';
import { importedFrom, type SourceKind } from '../../imports/sources.js';
import { rehearsedOutputs } from '../../rehearsed-outputs.js';
import { sourceFolder, type SourceFolder } from '../../sources/source-folder.js';
import type { TargetName } from '../../targets.js';
import { count } from '../../telling/problem-text.js';
import type { GlobalOptions } from '../../command-line/options.js';
import { exitCodeOf, report, reportProblems } from '../../command-line/output/report.js';
import { commandLine } from '../../command-line/request.js';
import type { ImportOptions } from './import-options.js';
import { writeFolder } from './write-folder.js';

type Options = GlobalOptions & ImportOptions;

/** Makes our files of those of another installer in --dir, if `validate` finds nothing wrong with them. */
export async function importSite(kind: SourceKind, from: string, options: Options): Promise<void> {
  const source = sourceFolder(from, kind === 'cluster-instance' ? 'any' : 'folder');
  const wishes = wishesOf(options);
  if (!source.ok || !wishes.ok) {
    report(options, { problems: [...problemsOf(source), ...problemsOf(wishes)] });
    return;
  }
  // Problems stand in the source, and are told from there.
  const telling = { ...options, dir: source.value.dir };
  const { path, inputs } = source.value;
  const { site: name } = options;
  const taken = importedFrom(kind, { inputs, path, ...(name !== undefined && { site: name }) }, wishes.value);
  if (!taken.ok) {
    report(telling, { problems: taken.problems });
    return;
  }
  const outside = outsideInputs();
  const { site, generated } =
    kind === 'install-dir'
      ? await added(taken.value, source.value, outside)
      : { site: taken.value, generated: [] };
  const problems = await judgeImport(site, (made) => rehearsed('single-node-ignition-config', made), outside);
  if (problems.some(isError)) {
    report(telling, { problems });
    return;
  }
  await write(options, { site, generated, problems, source: source.value });
}

/** Problems: usage/unreadable-file. */
function wishesOf({ installationDisk, releaseImage, pullSecretFile }: ImportOptions): Result<ImportWishes> {
  const given = {
    ...(installationDisk !== undefined && { installationDisk }),
    ...(releaseImage !== undefined && { releaseImage }),
  };
  if (pullSecretFile === undefined) return success(given);
  if (pullSecretFile.startsWith('env:'))
    return success({ ...given, pullSecret: { reference: pullSecretFile } });
  const read = readNamedText('--pull-secret-file', pullSecretFile);
  return read.ok ? success({ ...given, pullSecret: { text: read.value } }) : read;
}

/** Nothing but the environment: what is imported lies in its own files. */
function outsideInputs(): Pick<Inputs, 'readReference'> {
  const outside = { variables: process.env, stdin: standardInput() };
  return { readReference: (reference) => readReference(reference, '.', outside) };
}

function rehearsed(target: TargetName, inputs: Inputs): ReturnType<typeof rehearsedOutputs> {
  const surroundings = { now: new Date(), variables: process.env };
  return rehearsedOutputs({ target, inputs, templatesFolder: templatesFolder() }, surroundings);
}

async function added(
  site: ImportedSite,
  { inputs }: SourceFolder,
  outside: Pick<Inputs, 'readReference'>,
): Promise<ReturnType<typeof withoutGenerated>> {
  const configs = site.files.filter(({ path }) => !path.includes('/'));
  const made = await rehearsed('manifests', importedInputs(configs, outside));
  const ours = made.ok ? made.value : [];
  const textOf = (contents: string | Uint8Array): string =>
    typeof contents === 'string' ? contents : Buffer.from(contents).toString('utf8');
  return withoutGenerated(site, {
    ours: new Map(ours.map(({ path, contents }) => [path, textOf(contents)])),
    theirs: filesOfState(inputs),
  });
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
    isForced: options.force === true,
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
      json: { site: site.name, dir, files: site.files.map(({ path }) => path), generated },
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
    ...(unplaced > 0 ? [`${count(unplaced, 'field')} without a place in them: each is named above.`] : []),
    ...(generated.length > 0
      ? [`${count(generated.length, 'manifest')} that \`create\` makes anew: left out.`]
      : []),
    ...(files.some(({ path }) => path === pullSecretName)
      ? [`${pullSecretName} is a secret in plain text: keep it out of Git.`]
      : []),
    `Next: \`sno-install validate --dir ${shellWord(dir)}\`.`,
  ];
  return `${lines.join('\n')}\n`;
}
