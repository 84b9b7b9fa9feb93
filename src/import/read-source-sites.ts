import { join, posix } from 'node:path';

import { isError, problem, type Place, type Problem } from '../core/problem.js';
import { quotedName, maskedArgument } from '../core/quoted.js';
import { failure, problemsOf, success, type Result } from '../core/result.js';
import { cachedInputs } from '../disk/read-inputs.js';
import { tracedAt } from '../formats/yaml/traced.js';
import { documentsIn } from './file-documents.js';
import type { ImportedSite, ImportOverrides } from './imported-site.js';
import { importClusters, importOneSite, type SourceKind } from './sources.js';
import type { Surroundings } from '../run/effects/surroundings.js';
import { sourceFolder, type SourceFolder } from '../run/sources/source-folder.js';
import { withoutGeneratedManifests } from './dry-run.js';

/** A site of a source. Its file names are relative to `folder`. */
export interface SourceSite {
  readonly site: ImportedSite;
  readonly folder: string;
}

interface ReadOptions {
  readonly overrides: ImportOverrides;
  readonly surroundings: Surroundings;
}

/**
 * Reads all sites of a source: the clusters of a ZTP folder, or, for other sources, one site per subfolder. Problems:
 * import/no-source, fleet/site-twice, and those of the sources. Warnings: import/left-out.
 */
export async function readSourceSites(
  kind: SourceKind,
  source: SourceFolder,
  { overrides, surroundings }: ReadOptions,
): Promise<Result<readonly SourceSite[]>> {
  if (kind === 'cluster-instance') {
    const found = importClusters(source, overrides);
    return found.ok
      ? once(
          found.value.map((site) => ({ site, folder: '' })),
          found.warnings,
        )
      : found;
  }
  const entries = (source.inputs.list('.') ?? []).filter((entry) => !entry.startsWith('.'));
  const folders = entries.filter((entry) => entry.endsWith('/'));
  const found = await Promise.all(
    folders.map((entry) => siteIn(kind, { source, folder: entry.slice(0, -1), overrides, surroundings })),
  );
  const problems = [...linksAmong(entries, source.dir), ...found.flatMap(problemsOf)];
  const sites = found.flatMap((each) => (each.ok ? [each.value] : []));
  if (problems.some(isError)) return failure(...problems);
  const hint = 'pass the directory that contains one directory per site';
  return sites.length === 0
    ? failure(
        ...problems,
        problem('import/no-source', 'the directory contains no site directories', { hint }),
      )
    : once(sites, problems);
}

function linksAmong(entries: readonly string[], dir: string): readonly Problem[] {
  const seen = cachedInputs(dir, {});
  const links = entries.filter((entry) => !entry.endsWith('/') && seen.list(entry) !== undefined);
  const hint = 'copy the directory here, or import it on its own';
  const message = 'a symbolic link to a directory is not imported';
  return links.map((file) => problem('import/left-out', message, { at: { file }, hint }));
}

/** Rejects duplicate site names, because each name becomes a folder name. */
function once(sites: readonly SourceSite[], warnings: readonly Problem[]): Result<readonly SourceSite[]> {
  const first = new Map<string, Place>();
  const twice = sites.flatMap(({ site, folder }) => {
    const at = placeOfName(site, folder);
    const earlier = first.get(site.name);
    if (earlier === undefined) first.set(site.name, at);
    if (earlier === undefined || site.name === '') return [];
    const message = `${maskedArgument(earlier.file)} has a site ${quotedName(site.name)} already`;
    const hint = 'rename one of them; each site needs its own directory';
    return [problem('fleet/site-twice', message, { at, hint })];
  });
  return twice.length === 0 ? success(sites, warnings) : failure(...warnings, ...twice);
}

function placeOfName({ files }: ImportedSite, folder: string): Place {
  const config = files.find(({ path }) => path === 'install-config.yaml');
  const [root] = (config && documentsIn(config)) ?? [];
  const at = root && tracedAt(root, ['metadata', 'name'])?.origin.at;
  return { ...at, file: posix.join(folder, at?.file ?? 'install-config.yaml') };
}

async function siteIn(
  kind: SourceKind,
  {
    source,
    folder,
    overrides,
    surroundings,
  }: ReadOptions & { readonly source: SourceFolder; readonly folder: string },
): Promise<Result<SourceSite>> {
  const own = sourceFolder(join(source.dir, folder), 'folder');
  if (!own.ok) return own;
  const imported = importOneSite(kind, { inputs: own.value.inputs, path: '.' }, overrides);
  if (!imported.ok) return failure(...imported.problems.map((each) => prefixLocation(each, folder)));
  const site =
    kind === 'install-dir'
      ? (await withoutGeneratedManifests(imported.value, own.value, surroundings)).site
      : imported.value;
  return success({ site, folder });
}

/** Prefixes the location of a problem with the folder of its site. */
export function prefixLocation(found: Problem, folder: string): Problem {
  const file = posix.join(folder, found.at?.file ?? '');
  return { ...found, at: { ...found.at, file } };
}
