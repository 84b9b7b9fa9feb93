/** Whether a generated value depends on the time of issue. It is useless for another issue, and may differ between two states. */
export function isTimeBound(label: string): boolean {
  return /^(clock$|signature\/|size\/)/.test(label);
}

/** Generated values that do not depend on the time of issue. */
export function longLivedValues(
  generatedValues: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(generatedValues).filter(([label]) => !isTimeBound(label)));
}
