/** Whether a draw hangs on the time of issue: it means nothing after another one, and two states may differ in it. */
export function isTimeBound(label: string): boolean {
  return /^(clock$|signature\/|size\/)/.test(label);
}

/** The draws that do not. */
export function lastingDraws(draws: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(draws).filter(([label]) => !isTimeBound(label)));
}
