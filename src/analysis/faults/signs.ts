import type { JournalLine } from '../journal.js';

/** A script of the node, below `templates/`. */
export type ScriptName = `${string}.sh`;

interface Place {
  /** The unit whose journal is searched. Default: that of the failed stage. */
  readonly unit?: string;
  /** Whether only the last minutes of the stage count: the unit logs the same lines in a good installation too. */
  readonly isRecent?: true;
}

interface Narrowed {
  /** Another required text in the message: of the script, or of a program that it quotes. */
  readonly because?: string | RegExp;
}

/** A log line of our scripts; `*` matches variable parts. A test finds the text in the script. */
interface SaidByScript extends Place, Narrowed {
  readonly script: ScriptName;
  readonly says: string;
}

/** A wait of a script that timed out; `*` as above. sno-common.sh adds the surrounding words. */
interface WaitRanOut extends Place {
  readonly script: ScriptName;
  readonly waitsFor: string;
}

/** A message of another program, with its place in the program's source or manual. */
interface SaidByProgram extends Place {
  readonly program: string;
  readonly says: RegExp;
  readonly source: string;
  /** Number of lines that must match, with the same text in the first group. Default: 1. */
  readonly least?: number;
}

/** How a fault is recognised. */
export type Sign = SaidByScript | WaitRanOut | SaidByProgram;

/** The last line that matches the sign with its continuation lines; undefined without a match. */
export function findSign(sign: Sign, lines: readonly JournalLine[]): JournalLine | undefined {
  if ('program' in sign) return findRepeated(sign, lines);
  if ('waitsFor' in sign) {
    const ranOut = `timed out after * s waiting for ${sign.waitsFor}`;
    return lines.findLast(({ text }) => startsLike(text, ranOut));
  }
  const at = lines.findLastIndex(({ text }) => startsLike(text, sign.says));
  const found = lines[at];
  return found !== undefined && holds(sign.because, messageAt(lines, at)) ? found : undefined;
}

function findRepeated(
  { says, least = 1 }: SaidByProgram,
  lines: readonly JournalLine[],
): JournalLine | undefined {
  const groups = new Map<string, { readonly last: JournalLine; count: number }>();
  for (const line of lines.toReversed()) {
    const found = says.exec(withoutSource(line.text));
    if (found === null) continue;
    const group = groups.get(found[1] ?? '') ?? { last: line, count: 0 };
    groups.set(found[1] ?? '', group);
    group.count += 1;
    if (group.count >= least) return group.last;
  }
  return undefined;
}

/** Whether a line begins like a text of a script in which `*` matches anything. */
function startsLike(line: string, says: string): boolean {
  const [first = ''] = says.split('*', 1);
  return line.startsWith(first) && has(line, says);
}

/** Whether the line contains the parts of the text in order; linear time for any line. */
function has(line: string, says: string): boolean {
  let from = 0;
  for (const part of says.split('*')) {
    const at = line.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}

/** A message may continue on further lines, as podman's do. */
const longestMessage = 8;
const startsStep = /^(stage |pulling |waiting for |still waiting |timed out )/;

function messageAt(lines: readonly JournalLine[], at: number): string {
  const following = lines.slice(at + 1, at + longestMessage).map(({ text }) => text);
  const end = following.findIndex((text) => startsStep.test(text));
  const rest = end === -1 ? following : following.slice(0, end);
  return [lines[at]?.text ?? '', ...rest].join('\n');
}

function holds(because: string | RegExp | undefined, message: string): boolean {
  if (because === undefined) return true;
  if (because instanceof RegExp) return because.test(withoutSource(message));
  return message.split('\n').some((line) => has(line, because));
}

/**
 * A pull from mirrors that failed, without the error of the source, which is last: on a site with mirrors the source is not reachable.
 * Source: github.com/containers/image docker/docker_image_src.go, newImageSource; each mirror after the first begins a line.
 */
function withoutSource(message: string): string {
  if (!message.includes('(Mirrors also failed: [') && !message.startsWith('[')) return message;
  const end = message.lastIndexOf(']): ');
  return end === -1 ? message : message.slice(0, end + 1);
}
