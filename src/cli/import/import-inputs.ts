import type { GlobalOptions } from '../options.js';
import { report } from '../output/report.js';
import { problemsOf, success, type Result } from '../../core/result.js';
import { readNamedValue } from '../../disk/named-file.js';
import { readReference } from '../../disk/external-files/read-reference.js';
import { standardInput } from '../../disk/external-files/standard-input.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import type { Inputs } from '../../graph/context.js';
import type { ImportedSite, ImportOverrides } from '../../import/imported-site.js';
import { withoutGenerated } from '../../import/install-dir/without-generated.js';
import { filesOfState } from '../../import/install-state.js';
import { importedInputs } from '../../import/check-import.js';
import type { SourceKind } from '../../import/sources.js';
import { dryRunOutputs } from '../../run/dry-run-outputs.js';
import { sourceFolder, type SourceFolder } from '../../run/sources/source-folder.js';
import type { TargetName } from '../../run/targets.js';
import type { ImportOptions } from './import-options.js';

/** Parses the import options. Problems: usage/unreadable-file. */
function parseImportOptions({
  installationDisk,
  releaseImage,
  pullSecretFile,
}: ImportOptions): Result<ImportOverrides> {
  const given = {
    ...(installationDisk !== undefined && { installationDisk }),
    ...(releaseImage !== undefined && { releaseImage }),
  };
  if (pullSecretFile === undefined) return success(given);
  if (pullSecretFile.startsWith('env:'))
    return success({ ...given, pullSecret: { reference: pullSecretFile } });
  const read = readNamedValue('--pull-secret-file', pullSecretFile);
  return read.ok ? success({ ...given, pullSecret: { text: read.value } }) : read;
}

/** Opens the source and parses the options. Reports problems of both and returns undefined if there are any. */
export function openImportSource(kind: SourceKind, from: string, options: Options): OpenedSource | undefined {
  const source = sourceFolder(from, kind === 'cluster-instance' ? 'any' : 'folder');
  const overrides = parseImportOptions(options);
  if (source.ok && overrides.ok) return { source: source.value, overrides: overrides.value };
  report(options, { problems: [...problemsOf(source), ...problemsOf(overrides)] });
  return undefined;
}

interface OpenedSource {
  readonly source: SourceFolder;
  readonly overrides: ImportOverrides;
}

type Options = GlobalOptions & ImportOptions;

/**
 * Resolves references that lead out of the import. In practice these are environment variables, because all imported files are
 * part of it.
 */
export function outsideInputs(): Pick<Inputs, 'readReference'> {
  const outside = { variables: process.env, stdin: standardInput() };
  return { readReference: (reference) => readReference(reference, '.', outside) };
}

/** Dry run: returns the outputs that `create` would write for these inputs. */
export function dryRunOf(target: TargetName, inputs: Inputs): ReturnType<typeof dryRunOutputs> {
  const surroundings = { now: new Date(), variables: process.env };
  return dryRunOutputs({ target, inputs, templates: ownTemplates() }, surroundings);
}

/** Removes the manifests that `create` generates from a folder of openshift-install. */
export async function withoutGeneratedManifests(
  site: ImportedSite,
  { inputs }: SourceFolder,
  outside: Pick<Inputs, 'readReference'>,
): Promise<ReturnType<typeof withoutGenerated>> {
  const configs = site.files.filter(({ path }) => !path.includes('/'));
  const made = await dryRunOf('manifests', importedInputs(configs, outside));
  const ours = made.ok ? made.value : [];
  const textOf = (contents: string | Uint8Array): string =>
    typeof contents === 'string' ? contents : Buffer.from(contents).toString('utf8');
  return withoutGenerated(site, {
    ours: new Map(ours.map(({ path, contents }) => [path, textOf(contents)])),
    theirs: filesOfState(inputs),
  });
}
