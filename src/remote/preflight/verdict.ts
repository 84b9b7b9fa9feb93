import type { PreflightCode } from '../../core/problem-codes/preflight.js';
import { preflightCodes } from '../../core/problem-codes/preflight.js';
import { problem, type Problem } from '../../core/problem.js';
import type { PreflightCheck } from './answers.js';

type Question = Pick<PreflightCheck, 'kind' | 'question' | 'answer'>;

/** A check that passed. */
export function passedCheck(question: Question): PreflightCheck {
  return { ...question, verdict: 'ok' };
}

/** A check that failed, with the severity of its code. */
export function failedCheck(
  question: Question,
  code: PreflightCode,
  message: string,
  hint?: string,
): PreflightCheck {
  const verdict = preflightCodes[code].severity;
  return { ...question, verdict, code, message, ...(hint !== undefined && { hint }) };
}

/** Problems of the failed checks. */
export function problemsOfAnswers(answers: readonly PreflightCheck[]): readonly Problem[] {
  return answers.flatMap(({ code, message, hint }) =>
    code === undefined ? [] : [problem(code, message ?? '', { hint })],
  );
}
