// Which packages have code in the bundle, and which of them asks for which: as the bundler has seen it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A plug-in of the bundler that notes what each module imports, by paths: `{ plugin, imports }`. */
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

/** The packages that have code in chunks of a bundle, in the order of their titles: `{ name, version, license, folder }`, as package.json says. */
export function bundledPackages(chunks) {
  const ids = chunks.flatMap(({ modules }) =>
    Object.entries(modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : [])),
  );
  const folders = new Set(ids.flatMap((id) => folderOf(id) ?? []));
  return [...folders].map(packageIn).sort((one, other) => (titleOf(one) < titleOf(other) ? -1 : 1));
}

/**
 * Which packages a package imports from, by the titles of both; '' stands for the program itself. What is not in the bundle is passed
 * over, and so is what a package imports of itself.
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

/** A package as people call it: its name and version. */
export function titleOf({ name, version }) {
  return `${name} ${version}`;
}

/** '' for a module of ours, undefined for one of a package that has no code in the bundle. */
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
