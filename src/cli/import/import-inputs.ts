import type { GlobalOptions } from '../options.js';
import { report } from '../output/report.js';
import { problemsOf, success, type Result } from '../../core/result.js';
import { readNamedValue } from '../../disk/named-file.js';
import type { ImportOverrides } from '../../import/imported-site.js';
import type { SourceKind } from '../../import/sources.js';
import { sourceFolder, type SourceFolder } from '../../run/sources/source-folder.js';
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
