import { elapsedText } from '../../formats/elapsed.js';
import type { PreflightCheck, TimeAnswer } from './answers.js';
import { passedCheck, failedCheck } from './verdict.js';

/** A time server and its response. */
export interface TimeServerAnswer {
  readonly server: string;
  readonly answer: TimeAnswer;
}

/** Warn if the local clock is off by more than this; certificates would expire earlier than printed. */
const notableSeconds = 60;

/**
 * Evaluates the answers of the time servers: one usable server is enough. Certificates start `backdateSeconds` before the local time.
 * If the local clock is ahead by more than that, they are not valid yet on the node.
 */
export function judgeTime(
  answers: readonly TimeServerAnswer[],
  backdateSeconds: number,
): readonly PreflightCheck[] {
  const isAnswered = answers.some(({ answer }) => answer.kind === 'time');
  return answers.map(({ server, answer }) => {
    const question = { kind: 'time' as const, question: server };
    if (answer.kind !== 'time') {
      const reason = answer.kind === 'unsynchronised' ? 'it is not synchronized' : answer.reason;
      const code = isAnswered ? 'preflight/time-server' : 'preflight/no-time';
      const message = `cannot get the time from ${server}: ${reason}`;
      return failedCheck({ ...question, answer: reason }, code, message);
    }
    return judgeClock(question, answer.aheadSeconds, backdateSeconds);
  });
}

function judgeClock(
  question: Pick<PreflightCheck, 'kind' | 'question'>,
  aheadSeconds: number,
  backdateSeconds: number,
): PreflightCheck {
  const off = Math.round(Math.abs(aheadSeconds));
  const isSlow = aheadSeconds > 0;
  const said = {
    ...question,
    answer:
      off === 0
        ? 'same time as this machine'
        : `this machine is ${elapsedText(off * 1000)} ${isSlow ? 'behind' : 'ahead'}`,
  };
  if (off <= notableSeconds) return passedCheck(said);
  const message = `the clock of this machine is ${elapsedText(off * 1000)} ${isSlow ? 'behind' : 'ahead of'} ${question.question}`;
  if (!isSlow && off >= backdateSeconds)
    return failedCheck(
      said,
      'preflight/clock',
      `${message}: certificates created now are not yet valid on the node`,
      'correct the clock',
    );
  return failedCheck(said, 'preflight/clock-off', message, 'correct the clock');
}
