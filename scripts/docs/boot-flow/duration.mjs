const unitSeconds = { s: 1, m: 60, h: 3600 };

/** Formats a duration for people. Input: seconds, or a number with a unit as in systemd and timeout(1). */
export function duration(text) {
  const [, number, unit] = /^(\d+) ?(s|m|h|)(?:in)?$/.exec(text) ?? [];
  if (number === undefined) throw new Error(`internal error: unknown duration ${text}`);
  const seconds = Number(number) * (unitSeconds[unit] ?? 1);
  if (seconds % 3600 === 0 && seconds > 3600) return `${seconds / 3600} h`;
  return seconds % 60 === 0 && seconds > 60 ? `${seconds / 60} min` : `${seconds} s`;
}
