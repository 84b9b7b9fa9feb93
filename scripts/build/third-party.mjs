// Licence notices for the third-party packages in the bundle.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { titleOf } from './bundled-packages.mjs';

/**
 * SPDX identifiers of licences that bundled packages may have: licences that only require their text, and the one of a library that
 * is shipped in separate files (docs/decisions/0050-one-package.md). Any other licence fails the build until somebody reviews it.
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
 * The notices of packages (scripts/build/bundled-packages.mjs), in their order. Throws if a licence is not in `knownLicences`, or if
 * neither the package nor the folder `licences` contains its text.
 */
export function thirdPartyNotices(packages) {
  const told = withoutTwins(packages.map(noticeOf));
  return [head(told), ...told.map(({ title, licence, texts }) => `${title} (${licence})\n\n${texts}\n`)].join(
    `\n${'-'.repeat(100)}\n\n`,
  );
}

/** Removes duplicates: a package may be installed in several folders. */
function withoutTwins(notices) {
  return [...new Map(notices.map((each) => [`${each.title}\n${each.texts}`, each])).values()];
}

function head(notices) {
  const list = notices.map(({ title, licence }) => `  ${title}: ${licence}`).join('\n');
  return `sno-install contains code of these packages, each under its own license.\n\n${list}\n`;
}

function noticeOf({ name, version, license, folder }) {
  const title = titleOf({ name, version });
  if (!knownLicences.has(license))
    throw new Error(`the license of ${title} is not in the list of reviewed licenses: ${license}`);
  return { title, licence: license, texts: textsOf(folder, name) };
}

/** Licence and notice files of a package, including those of code that it contains. */
function textsOf(folder, name) {
  const ofPackage = filesIn(folder, /^(?:licen[cs]e|copying|notice)/i);
  const kept = filesIn(join(import.meta.dirname, 'licences'), new RegExp(`^${name.replace('/', '__')}\\.`));
  const texts = [...ofPackage, ...kept].map((path) =>
    readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim(),
  );
  if (texts.length === 0)
    throw new Error(`${name} contains no license text: add it to scripts/build/licences`);
  return texts.join('\n\n');
}

function filesIn(folder, pattern) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && pattern.test(entry.name) && !/\.[cm]?[jt]s$/.test(entry.name))
    .map((entry) => join(folder, entry.name))
    .sort();
}
