import type { PreflightCode } from '../../core/problem-codes/preflight.js';
import { preflightCodes } from '../../core/problem-codes/preflight.js';
import { problem, type Problem } from '../../core/problem.js';
import type { Answered } from './answers.js';

type Question = Pick<Answered, 'about' | 'question' | 'answer'>;

/** An answer that is as it should be. */
export function fine(question: Question): Answered {
  return { ...question, verdict: 'ok' };
}

/** An answer that is not, as bad as its code says. */
export function wrong(question: Question, code: PreflightCode, message: string, hint?: string): Answered {
  const verdict = preflightCodes[code].severity;
  return { ...question, verdict, code, message, ...(hint !== undefined && { hint }) };
}

/** What is wrong with answers, as problems. */
export function problemsOfAnswers(answers: readonly Answered[]): readonly Problem[] {
  return answers.flatMap(({ code, message, hint }) =>
    code === undefined ? [] : [problem(code, message ?? '', { hint })],
  );
}
