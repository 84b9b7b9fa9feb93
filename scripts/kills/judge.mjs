// What may be found in a folder after a kill, and after the run that follows it.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Only a file says so that is not encrypted. */
const plainSecret = /PRIVATE KEY|"draws"|client-key-data|"ignition"/;

/** What a killed run may leave for the next one: drafts, its plan and its claim of the lock. */
const passing = /(^|\/)\.sno-install(-pending|\.lock)|\.new$|draft/;

/** Every file below a folder with its bytes in latin1, by path. */
export function filesBelow(folder) {
  const paths = readdirSync(folder, { recursive: true }).toSorted();
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'latin1')]));
}

/**
 * What is wrong after a kill, one line each: `before` is the folder before it, `after` the one of an undisturbed run, both by
 * path. `isOdd` says of a path and its bytes whether they are neither; without it they are those of one of the two.
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
      .map(([path]) => `${path} is neither as before nor as after`),
    ...(isSecret ? plainSecretsIn(left) : []),
  ];
}

/** What is wrong after the run that follows: it has to give what an undisturbed one gives, and leave nothing behind. */
export function faultsAfterRun(left, { before, after, isSecret, isOdd }) {
  const isSame = (path) => left[path] === after[path];
  const mayDiffer = (path) => isOdd !== undefined && before[path] !== after[path] && !isOdd(path, left[path]);
  return [
    ...Object.keys(after)
      .filter((path) => !(path in left))
      .map((path) => `${path} is missing after the next run`),
    ...Object.keys(left)
      .filter((path) => !(path in after))
      .map((path) => `${path} stays after the next run`),
    ...Object.keys(left)
      .filter((path) => path in after && !isSame(path) && !mayDiffer(path))
      .map((path) => `${path} is another one after the next run`),
    ...(isSecret ? plainSecretsIn(left) : []),
  ];
}

function plainSecretsIn(files) {
  return Object.entries(files)
    .filter(([, bytes]) => plainSecret.test(bytes))
    .map(([path]) => `${path} holds a secret as plain text`);
}
