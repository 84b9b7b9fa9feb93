// Checks the files in a folder after a kill, and after the run that follows it.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Text that only unencrypted secret files contain. */
const plainSecret = /PRIVATE KEY|"(?:draws|generatedValues)"|client-key-data|"ignition"/;

/** Files that a killed run may leave for the next one: drafts, its plan and its lock. */
const passing = /(^|\/)\.sno-install(-pending|\.lock)|\.new$|draft/;

/** All files below a folder, by path; contents as latin1. */
export function filesBelow(folder) {
  const paths = readdirSync(folder, { recursive: true }).toSorted();
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'latin1')]));
}

/**
 * Faults after a kill, one line each. `before` are the files before the run, `after` those of a run that was not killed, both by
 * path. `isOdd` reports contents that are valid in neither state; by default every difference from both is a fault.
 */
export function faultsAfterKill(left, { before, after, isSecret, isOdd }) {
  const isKnown = (path, bytes) => [before[path], after[path]].includes(bytes);
  const odd = isOdd ?? (() => true);
  const lasting = Object.entries(left).filter(([path]) => !passing.test(path));
  return [
    ...Object.keys(before)
      .filter((path) => path in after && !passing.test(path) && !(path in left))
      .map((path) => `${path} is lost`),
    ...lasting
      .filter(([path, bytes]) => !isKnown(path, bytes) && (before[path] === after[path] || odd(path, bytes)))
      .map(([path]) => `${path} has neither the old nor the new content`),
    ...(isSecret ? plainSecretsIn(left) : []),
  ];
}

/** Faults after the next run: it must produce the files of a run that was not killed, and no others. */
export function faultsAfterRun(left, { before, after, isSecret, isOdd }) {
  const isSame = (path) => left[path] === after[path];
  const mayDiffer = (path) => isOdd !== undefined && before[path] !== after[path] && !isOdd(path, left[path]);
  return [
    ...Object.keys(after)
      .filter((path) => !(path in left))
      .map((path) => `${path} is missing after the next run`),
    ...Object.keys(left)
      .filter((path) => !(path in after))
      .map((path) => `${path} is left over after the next run`),
    ...Object.keys(left)
      .filter((path) => path in after && !isSame(path) && !mayDiffer(path))
      .map((path) => `${path} has other content after the next run`),
    ...(isSecret ? plainSecretsIn(left) : []),
  ];
}

function plainSecretsIn(files) {
  return Object.entries(files)
    .filter(([, bytes]) => plainSecret.test(bytes))
    .map(([path]) => `${path} contains a secret in plain text`);
}
