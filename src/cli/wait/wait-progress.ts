import type { Moment } from '../../cluster/wait.js';
import { elapsedText } from '../../formats/elapsed.js';

/** How progress is told. */
export type ProgressForm =
  /** One line that is written anew, for a terminal. */
  | 'line'
  /** A line for each change, for a log. */
  | 'lines'
  /** A JSON object for each change, a line each. */
  | 'json-lines'
  | 'silent';

/** Where the progress of a wait is shown. */
export interface Screen {
  readonly write: (text: string) => void;
  /** Characters a line has room for. */
  readonly columns: number;
}

/** What a wait tells while it goes on. */
export interface WaitProgress {
  readonly onMoment: (moment: Moment) => void;
  /** Takes the line of a terminal away. */
  done(): void;
}

/** Tells how a wait goes on. */
export function waitProgress(form: ProgressForm, screen: Screen): WaitProgress {
  if (form === 'silent') return { onMoment: () => undefined, done: () => undefined };
  if (form === 'line')
    return {
      onMoment: (moment) => {
        screen.write(`\r\u001b[K${cut(terminalLine(moment), screen.columns - 1)}`);
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

/** Fits a terminal of 80 columns in most cases, so the detail is left out. */
function terminalLine({ message, note, awayMs, waitedMs }: Moment): string {
  const since = awayMs === undefined ? '' : ` for ${elapsedText(awayMs)}`;
  return `[${elapsedText(waitedMs)}] ${message}${since}${after('; ', note)}`;
}

function logLine({ message, detail, note, recoveredAfterMs, waitedMs }: Moment): string {
  const back =
    recoveredAfterMs === undefined ? '' : `the API is back after ${elapsedText(recoveredAfterMs)}; `;
  return `after ${elapsedText(waitedMs)}: ${back}${message}${after(': ', detail)}${after('; ', note)}`;
}

function jsonLine({ message, detail, note, recoveredAfterMs, waitedMs }: Moment): string {
  const backAfterSeconds = recoveredAfterMs === undefined ? undefined : Math.floor(recoveredAfterMs / 1000);
  return JSON.stringify({ seconds: Math.floor(waitedMs / 1000), message, detail, note, backAfterSeconds });
}

function after(separator: string, text: string | undefined): string {
  return text === undefined ? '' : `${separator}${text}`;
}

function cut(text: string, columns: number): string {
  return text.length > columns ? `${text.slice(0, Math.max(0, columns - 1))}…` : text;
}
