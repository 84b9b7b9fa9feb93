import type { Place, Problem } from './problem.js';

/**
 * A problem as text for people: headline, place, the line with a caret, hint. No line that may hold a secret is shown.
 * `source` is the text of the file at fault, when it could be read.
 */
export function renderProblem(found: Problem, source: string | undefined): string {
  const headline = `${found.severity}[${found.code}]: ${found.message}`;
  const place = found.at === undefined ? [] : [`  --> ${showPlace(found.at)}`];
  const excerpt = found.at === undefined || source === undefined ? [] : excerptOf(found.at, source);
  const hint = found.hint === undefined ? [] : [`   = hint: ${found.hint}`];
  return [headline, ...place, ...excerpt, ...hint].join('\n');
}

function showPlace({ file, path, line, col }: Place): string {
  const position =
    line === undefined ? file : col === undefined ? `${file}:${line}` : `${file}:${line}:${col}`;
  return path === undefined || path === '' ? position : `${position} (${path})`;
}

/** Long lines are shown as a window around the place. */
const windowWidth = 96;

function excerptOf({ line, col, length, path }: Place, source: string): readonly string[] {
  if (line === undefined) return [];
  const lines = source.split(/\r\n|\r|\n/);
  const text = lines[line - 1];
  if (text === undefined) return [];
  const gutter = ' '.repeat(String(line).length);
  if (mayHoldSecret(path, lines, line))
    return [`${gutter} |`, `${line} | (not shown: this line may hold a secret)`];
  const start = col === undefined || col <= windowWidth - 16 ? 0 : col - 32;
  const shown = printable(text.slice(start, start + windowWidth));
  if (col === undefined) return [`${gutter} |`, `${line} | ${shown}`];
  const before = ' '.repeat(Math.max(0, col - 1 - start));
  const width = Math.max(1, Math.min(length ?? 1, shown.length - before.length));
  return [`${gutter} |`, `${line} | ${shown}`, `${gutter} | ${before}${'^'.repeat(width)}`];
}

/** Tabs and control characters as one visible character each, so that the caret stands under its place. */
function printable(text: string): string {
  return text.replace(/\t/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f]/g, '\u00b7');
}

function mayHoldSecret(path: string | undefined, lines: readonly string[], line: number): boolean {
  if (path?.startsWith('pullSecret') === true) return true;
  if (lines.some((text) => /^\s*"?kind"?\s*:\s*"?'?Secret\b/.test(text))) return true;
  if (isInsidePullSecret(lines, line)) return true;
  const text = lines[line - 1] ?? '';
  return secretLooking.test(text) && !publicKey.test(text);
}

/** Registry credentials, private keys, and URLs with a password in them. */
const secretLooking = /auths?["']?\s*:|password|token|PRIVATE KEY|:\/\/[^/\s]*:[^/\s]*@|[A-Za-z0-9+/]{120,}/i;

/** An authorized key of OpenSSH is long and public. */
const publicKey = /\b(ssh-|ecdsa-sha2-|sk-)[a-z0-9@.-]+ AAAA/;

/** Whether the nearest line above (or this one) that starts a top-level field starts `pullSecret`. */
function isInsidePullSecret(lines: readonly string[], line: number): boolean {
  const above = lines.slice(0, line).findLast((text) => /^["']?[A-Za-z][A-Za-z0-9]*["']?\s*:/.test(text));
  return above !== undefined && /^["']?pullSecret["']?\s*:/i.test(above);
}
