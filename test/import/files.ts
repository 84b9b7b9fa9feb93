import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Problem } from '../../src/core/problem.js';
import { containedInputs } from '../../src/disk/external-files/contained-inputs.js';
import { cachedInputs } from '../../src/disk/read-inputs.js';
import type { ImportedSite, ImportOverrides } from '../../src/import/imported-site.js';
import { importClusters, importOneSite, type SourceKind } from '../../src/import/sources.js';
import type { Result } from '../../src/core/result.js';
import { scratchFolder } from '../support/scratch.js';

export const clusterInstance = readFileSync('fixtures/import/ztp/site1.yaml', 'utf8');

export const agentFiles: Readonly<Record<string, string>> = Object.fromEntries(
  ['agent-config.yaml', 'install-config.yaml'].map((name) => [
    name,
    readFileSync(join('fixtures/import/agent', name), 'utf8'),
  ]),
);

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Imports the files of a source. */
export function imported(
  kind: SourceKind,
  files: Readonly<Record<string, string>>,
  { site, ...overrides }: ImportOverrides & { readonly site?: string } = {},
): Result<ImportedSite> {
  const folder = folderOf(files);
  const inputs = containedInputs(folder, cachedInputs(folder, {}));
  return importOneSite(kind, { inputs, path: '.', ...(site !== undefined && { site }) }, overrides);
}

/** Imports every single-node cluster of a folder. */
export function importedClusters(files: Readonly<Record<string, string>>): Result<readonly ImportedSite[]> {
  const folder = folderOf(files);
  return importClusters({ inputs: containedInputs(folder, cachedInputs(folder, {})), path: '.' }, {});
}

/** Imports valid files; throws if there are problems. */
export function siteOf(...given: Parameters<typeof imported>): ImportedSite {
  const made = imported(...given);
  if (!made.ok) throw new Error(made.problems.map(problemLine).join('\n'));
  return made.value;
}

export function textOf(site: ImportedSite, path: string): string {
  return site.files.find((file) => file.path === path)?.text ?? '';
}

export function problemLine({ at, code, message }: Problem): string {
  const place = [at?.file, at?.line, at?.col].filter((part) => part !== undefined).join(':');
  return `${place} ${code}: ${message}`;
}
