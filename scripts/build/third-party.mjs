// What the bundle holds of other people's packages, and under which licences: the text that goes with it.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { titleOf } from './bundled-packages.mjs';

/**
 * Licences under which a package may be in the bundle, as SPDX names them: those that ask for their text, and that of a library which
 * stands in files of its own (docs/decisions/0050-one-package.md). Others end the build: somebody has to read them.
 */
export const knownLicences = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'LGPL-3.0',
  'MIT',
]);

/**
 * The notices of packages (scripts/build/bundled-packages.mjs), in their order. Throws where a licence is not known, or a package brings no
 * text of it and none is kept in `licences` beside this file.
 */
export function thirdPartyNotices(packages) {
  const told = withoutTwins(packages.map(noticeOf));
  return [head(told), ...told.map(({ title, licence, texts }) => `${title} (${licence})\n\n${texts}\n`)].join(
    `\n${'-'.repeat(100)}\n\n`,
  );
}

/** A package may lie in several folders: one version under one licence is told once. */
function withoutTwins(notices) {
  return [...new Map(notices.map((each) => [`${each.title}\n${each.texts}`, each])).values()];
}

function head(notices) {
  const list = notices.map(({ title, licence }) => `  ${title}: ${licence}`).join('\n');
  return `sno-install is made with these packages. Parts of them are in this folder, each under its own licence.\n\n${list}\n`;
}

function noticeOf({ name, version, license, folder }) {
  const title = titleOf({ name, version });
  if (!knownLicences.has(license))
    throw new Error(`${title} is under a licence that was not judged: ${license}`);
  return { title, licence: license, texts: textsOf(folder, name) };
}

/** Licence and notices of a package, and what its licence or its parts ask for beside them. */
function textsOf(folder, name) {
  const ofPackage = filesIn(folder, /^(?:licen[cs]e|copying|notice)/i);
  const kept = filesIn(join(import.meta.dirname, 'licences'), new RegExp(`^${name.replace('/', '__')}\\.`));
  const texts = [...ofPackage, ...kept].map((path) =>
    readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim(),
  );
  if (texts.length === 0)
    throw new Error(`${name} brings no text of its licence: keep it in scripts/build/licences`);
  return texts.join('\n\n');
}

function filesIn(folder, pattern) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && pattern.test(entry.name) && !/\.[cm]?[jt]s$/.test(entry.name))
    .map((entry) => join(folder, entry.name))
    .sort();
}
