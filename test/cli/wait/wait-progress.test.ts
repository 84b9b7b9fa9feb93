import { describe, expect, it } from 'vitest';

import type { ProgressForm } from '../../../src/cli/wait/progress-form.js';
import { waitProgress } from '../../../src/cli/wait/wait-for.js';
import type { WaitStatus } from '../../../src/remote/kubernetes/wait.js';

const moments: readonly WaitStatus[] = [
  { topic: 'no-answer', message: 'no answer', detail: 'refused', note: 'expected', awayMs: 0, waitedMs: 0 },
  {
    topic: 'no-answer',
    message: 'no answer',
    detail: 'no route',
    note: 'expected',
    awayMs: 5000,
    waitedMs: 5000,
  },
  { topic: 'at work', message: 'at work', recoveredAfterMs: 65_000, waitedMs: 70_000 },
  { topic: 'at work', message: 'at work', waitedMs: 75_000 },
];

function written(form: ProgressForm, columns = 80): string {
  const texts: string[] = [];
  const progress = waitProgress(form, { write: (text) => void texts.push(text), columns });
  for (const moment of moments) progress.onMoment(moment);
  progress.done();
  return texts.join('');
}

describe('the progress of a wait', () => {
  it('is one line on a terminal, updated in place and removed at the end', () => {
    const anew = '\r\u001b[K';
    expect(written('line')).toBe(
      `${anew}[0 s] no answer for 0 s; expected` +
        `${anew}[5 s] no answer for 5 s; expected` +
        `${anew}[1 min 10 s] at work` +
        `${anew}[1 min 15 s] at work${anew}`,
    );
  });

  it('never fills the last column of a terminal, which would start another line', () => {
    const lines = written('line', 20).split('\r\u001b[K');
    expect(lines[1]).toBe('[0 s] no answer fo…');
    expect(Math.max(...lines.map((line) => line.length))).toBe(19);
  });

  it('is a line for each change in a log', () => {
    expect(written('lines')).toBe(
      'after 0 s: no answer: refused; expected\n' +
        'after 1 min 10 s: the API is back after 1 min 5 s; at work\n',
    );
  });

  it('is a JSON object for each change', () => {
    expect(written('json-lines')).toBe(
      '{"seconds":0,"message":"no answer","detail":"refused","note":"expected"}\n' +
        '{"seconds":70,"message":"at work","backAfterSeconds":65}\n',
    );
  });

  it('may be empty', () => {
    expect(written('silent')).toBe('');
  });
});
