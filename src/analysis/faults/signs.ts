import type { JournalLine } from '../journal.js';

/** A script below `templates/live/usr/local/bin` or `templates/live/opt/openshift/bootstrap-in-place`. */
export type ScriptName = `${string}.sh`;

interface Place {
  /** The unit in whose journal it is looked for; that of the failed stage when absent. */
  readonly unit?: string;
}

interface Narrowed {
  /** What else must stand in the message: another text of the script, or what a program says in it. */
  readonly because?: string | RegExp;
}

/** A line that a script of ours logs; `*` stands for what differs. A test finds the text in the script. */
interface SaidByScript extends Place, Narrowed {
  readonly script: ScriptName;
  readonly says: string;
}

/** A wait of a script that ran out; `*` as above. The words around it are those of sno-common.sh. */
interface WaitRanOut extends Place {
  readonly script: ScriptName;
  readonly waitsFor: string;
}

/** What another program says, with the place in its source or manual. */
interface SaidByProgram extends Place {
  readonly program: string;
  readonly says: RegExp;
  readonly source: string;
}

/** How a fault is recognised. */
export type Sign = SaidByScript | WaitRanOut | SaidByProgram;

/** The last line that shows the sign, with the lines that belong to it; undefined when there is none. */
export function findSign(sign: Sign, lines: readonly JournalLine[]): JournalLine | undefined {
  if ('program' in sign) return lines.findLast(({ text }) => sign.says.test(text));
  if ('waitsFor' in sign) {
    const ranOut = `timed out after * s waiting for ${sign.waitsFor}`;
    return lines.findLast(({ text }) => begins(text, ranOut));
  }
  const at = lines.findLastIndex(({ text }) => begins(text, sign.says));
  const found = lines[at];
  return found !== undefined && holds(sign.because, messageAt(lines, at)) ? found : undefined;
}

/** Whether a line begins as a text of a script, in which `*` stands for anything. */
function begins(line: string, says: string): boolean {
  const [first = ''] = says.split('*', 1);
  return line.startsWith(first) && has(line, says);
}

/** Whether the parts of a text stand in a line one after the other: in one pass, whatever the line. */
function has(line: string, says: string): boolean {
  let from = 0;
  for (const part of says.split('*')) {
    const at = line.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}

/** A message may go on over further lines, as those of podman do. */
const longestMessage = 8;
const beginsAnother = /^(stage |pulling |waiting for |still waiting |timed out )/;

function messageAt(lines: readonly JournalLine[], at: number): string {
  const following = lines.slice(at + 1, at + longestMessage).map(({ text }) => text);
  const end = following.findIndex((text) => beginsAnother.test(text));
  const rest = end === -1 ? following : following.slice(0, end);
  return [lines[at]?.text ?? '', ...rest].join('\n');
}

function holds(because: string | RegExp | undefined, message: string): boolean {
  if (because === undefined) return true;
  if (because instanceof RegExp) return because.test(message);
  return message.split('\n').some((line) => has(line, because));
}
