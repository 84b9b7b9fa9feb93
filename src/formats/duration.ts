const unitSeconds: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 60 * 60,
  d: 24 * 60 * 60,
  w: 7 * 24 * 60 * 60,
  // A calendar year has no fixed length; certificates count in days.
  y: 365 * 24 * 60 * 60,
};

/**
 * Parses a duration such as `720h`, `30d`, `10y` or `1h30m` to seconds: whole numbers with units, larger units first.
 * Undefined for any other text, including an empty text and a number without unit.
 */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d{1,9}y)?(\d{1,9}w)?(\d{1,9}d)?(\d{1,9}h)?(\d{1,9}m)?(\d{1,9}s)?$/.test(text) || text === '')
    return undefined;
  return [...text.matchAll(/(\d+)([a-z])/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (unitSeconds[unit ?? ''] ?? 0),
    0,
  );
}
