import type { Moment } from '../cluster/wait.js';
import { elapsedText } from '../formats/elapsed.js';

/** How progress is told. */
export type ProgressForm =
  /** One line that is written anew, for a terminal. */
  | 'line'
  /** A line for each change, for a log. */
  | 'lines'
  /** A JSON object for each change, a line each. */
  | 'json-lines'
  | 'silent';

export interface Screen {
  readonly write: (text: string) => void;
  /** Characters a line has room for. */
  readonly columns: number;
}

export interface WaitProgress {
  readonly onMoment: (moment: Moment) => void;
  /** Takes the line of a terminal away. */
  done(): void;
}

/** Tells how a wait goes on; `timeoutMs` is how long it may take. */
export function waitProgress(form: ProgressForm, screen: Screen, timeoutMs: number): WaitProgress {
  if (form === 'silent') return { onMoment: () => undefined, done: () => undefined };
  if (form === 'line')
    return {
      onMoment: (moment) => {
        screen.write(`\r\u001b[K${cut(terminalLine(moment, timeoutMs), screen.columns - 1)}`);
      },
      done: () => {
        screen.write('\r\u001b[K');
      },
    };
  const show = form === 'json-lines' ? jsonLine : logLine;
  let topic: string | undefined;
  return {
    onMoment: (moment) => {
      if (moment.topic !== topic) screen.write(`${show(moment)}\n`);
      topic = moment.topic;
    },
    done: () => undefined,
  };
}

function terminalLine({ message, note, awayMs, waitedMs }: Moment, timeoutMs: number): string {
  const since = awayMs === undefined ? '' : ` (for ${elapsedText(awayMs)})`;
  const time = `[${elapsedText(waitedMs)} of ${elapsedText(timeoutMs)}]`;
  return `${time} ${message}${since}${note === undefined ? '' : `; ${note}`}`;
}

function logLine({ message, note, recoveredAfterMs, waitedMs }: Moment): string {
  const back =
    recoveredAfterMs === undefined ? '' : `the API is back after ${elapsedText(recoveredAfterMs)}; `;
  return `after ${elapsedText(waitedMs)}: ${back}${message}${note === undefined ? '' : `; ${note}`}`;
}

function jsonLine({ message, note, recoveredAfterMs, waitedMs }: Moment): string {
  return JSON.stringify({
    seconds: Math.floor(waitedMs / 1000),
    message,
    ...(note !== undefined && { note }),
    ...(recoveredAfterMs !== undefined && { backAfterSeconds: Math.floor(recoveredAfterMs / 1000) }),
  });
}

function cut(text: string, columns: number): string {
  return text.length > columns ? `${text.slice(0, Math.max(0, columns - 1))}…` : text;
}
