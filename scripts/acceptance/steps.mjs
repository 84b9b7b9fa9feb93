// Runs the steps of an acceptance in order, each with a time limit.

/**
 * A step is `{ name, title, timeoutMs, run(signal), isCheck?, afterFailure? }`. `run` returns `{ findings?, facts? }`. A step with findings
 * or an error has failed. A failed check stops nothing. After another failed step, only steps run whose `afterFailure` names a step that
 * has passed.
 */
export async function runSteps(steps, { records, onChange, nowMs, present }) {
  let isStopped = false;
  for (const step of steps) {
    const record = records.find(({ name }) => name === step.name);
    if (record.state === 'passed' || record.state === 'skipped') continue;
    const isUseful = records.some(({ name, state }) => name === step.afterFailure && state === 'passed');
    if (isStopped && !isUseful) continue;
    record.startedAt = present().toISOString();
    onChange();
    const startMs = nowMs();
    const { findings = [], facts = {} } = await outcomeOf(step);
    record.seconds = Math.round((nowMs() - startMs) / 1000);
    record.findings = findings;
    record.facts = facts;
    record.state = findings.length === 0 ? 'passed' : 'failed';
    isStopped ||= record.state === 'failed' && step.isCheck !== true;
    onChange();
  }
}

/** The records of steps before they run. Steps that passed in an earlier run keep their records. */
export function recordsOf(steps, earlier = []) {
  return steps.map(({ name, title, isSkipped = false }) => {
    const before = earlier.find((record) => record.name === name && record.state === 'passed');
    return before ?? { name, title, state: isSkipped ? 'skipped' : 'not run', findings: [] };
  });
}

async function outcomeOf({ title, timeoutMs, run }) {
  const limit = AbortSignal.timeout(timeoutMs);
  const expired = new Promise((resolve) => {
    const finding = `${title} took longer than ${Math.round(timeoutMs / 60_000)} minutes`;
    limit.addEventListener('abort', () => resolve({ findings: [finding] }));
  });
  try {
    // An aborted program may need a moment to end: the time limit decides.
    return await Promise.race([run(limit), expired]);
  } catch (error) {
    return { findings: [error.message] };
  }
}
