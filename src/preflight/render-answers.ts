import type { Answered } from './answers.js';

/** An answer without what its problem says already. */
export function shownAnswer({
  about,
  question,
  answer,
  verdict,
  code,
}: Answered): Readonly<Record<string, unknown>> {
  return { about, question, answer, verdict, ...(code !== undefined && { code }) };
}

const marks = { ok: 'ok', warning: 'warn', error: 'FAIL' } as const;

/** All answers by what they are about, and what the node may see differently, for people. */
export function answersText(answers: readonly Answered[], differences: readonly string[]): string {
  const width = Math.max(0, ...answers.map(({ question }) => question.length));
  const groups = (['dns', 'registry', 'time'] as const).flatMap((about) => {
    const lines = answers
      .filter((each) => each.about === about)
      .map(
        ({ question, answer, verdict }) =>
          `  ${marks[verdict].padEnd(4)}  ${question.padEnd(width)}  ${answer}`,
      );
    return lines.length === 0 ? [] : [titles[about], ...lines, ''];
  });
  return [...groups, 'What the node may see differently', ...differences.map((each) => `  ${each}`), ''].join(
    '\n',
  );
}

const titles = { dns: 'Name servers', registry: 'Registries', time: 'Time servers' } as const;
