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

/** A line that matches a sign, and where the match ends in its text. */
export interface MatchedLine {
  readonly line: JournalLine;
  readonly end: number;
}

/** The last line that matches the sign with its continuation lines; undefined without a match. */
export function findSign(sign: Sign, lines: readonly JournalLine[]): MatchedLine | undefined {
  if ('program' in sign) return findRepeated(sign, lines);
  const says = 'waitsFor' in sign ? `timed out after * s waiting for ${sign.waitsFor}` : sign.says;
  const at = lines.findLastIndex(({ text }) => startsLike(text, says));
  const line = lines[at];
  const because = 'waitsFor' in sign ? undefined : sign.because;
  const found = line && endOf(because ?? says, messageAt(lines, at));
  return line === undefined || found === undefined ? undefined : { line, end: found };
}

function findRepeated(
  { says, least = 1 }: SaidByProgram,
  lines: readonly JournalLine[],
): MatchedLine | undefined {
  const groups = new Map<string, { readonly last: MatchedLine; count: number }>();
  for (const line of lines.toReversed()) {
    const found = says.exec(withoutSource(line.text));
    if (found === null) continue;
    const last = { line, end: found.index + found[0].length };
    const group = groups.get(found[1] ?? '') ?? { last, count: 0 };
    groups.set(found[1] ?? '', group);
    group.count += 1;
    if (group.count >= least) return group.last;
  }
  return undefined;
}

/** Whether a line begins like a text of a script in which `*` matches anything. */
function startsLike(line: string, says: string): boolean {
  const [first = ''] = says.split('*', 1);
  return line.startsWith(first) && endOfParts(says, line) !== undefined;
}

/** The end of the last part, if the line contains the parts of the text in order; linear time for any line. */
function endOfParts(says: string, line: string): number | undefined {
  let from = 0;
  for (const part of says.split('*')) {
    const at = line.indexOf(part, from);
    if (at === -1) return undefined;
    from = at + part.length;
  }
  return from;
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

/** The end of the match in a message; undefined without a match. A text must be in one line of it. */
function endOf(because: string | RegExp, message: string): number | undefined {
  if (because instanceof RegExp) {
    const found = because.exec(withoutSource(message));
    return found === null ? undefined : found.index + found[0].length;
  }
  let start = 0;
  for (const line of message.split('\n')) {
    const end = endOfParts(because, line);
    if (end !== undefined) return start + end;
    start += line.length + 1;
  }
  return undefined;
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
