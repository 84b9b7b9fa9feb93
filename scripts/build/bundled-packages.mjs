// Packages with code in the bundle and the imports between them, as reported by the bundler.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A bundler plugin that records the imports of each module, by path: `{ plugin, imports }`. */
export function noteImports() {
  const imports = new Map();
  const plugin = {
    name: 'note-imports',
    buildEnd() {
      for (const id of this.getModuleIds()) {
        const { importedIds, dynamicallyImportedIds } = this.getModuleInfo(id);
        imports.set(id, [...importedIds, ...dynamicallyImportedIds]);
      }
    },
  };
  return { plugin, imports };
}

/** The packages with code in the chunks, sorted by title: `{ name, version, license, folder }` from package.json. */
export function bundledPackages(chunks) {
  const ids = chunks.flatMap(({ modules }) =>
    Object.entries(modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : [])),
  );
  const folders = new Set(ids.flatMap((id) => folderOf(id) ?? []));
  return [...folders].map(packageIn).sort((one, other) => (titleOf(one) < titleOf(other) ? -1 : 1));
}

/**
 * Imports between packages, by title; '' is the program itself. Ignores packages that are not in the bundle, and imports within a
 * package.
 */
export function importsBetween(packages, imports) {
  const titles = new Map(packages.map((each) => [each.folder, titleOf(each)]));
  const between = new Map([['', new Set()], ...packages.map((each) => [titleOf(each), new Set()])]);
  for (const [id, imported] of imports) {
    const from = between.get(titleAt(id, titles) ?? 'none');
    for (const title of imported.map((each) => titleAt(each, titles))) if (title) from?.add(title);
  }
  return new Map([...between].map(([from, to]) => [from, [...to].filter((title) => title !== from).sort()]));
}

/** `<name> <version>` of a package. */
export function titleOf({ name, version }) {
  return `${name} ${version}`;
}

/** '' for a module of this program; undefined for a package without code in the bundle. */
function titleAt(id, titles) {
  const folder = folderOf(id);
  return folder === undefined ? '' : titles.get(folder);
}

function folderOf(id) {
  return id.match(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0];
}

function packageIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { name, version, license, folder };
}
