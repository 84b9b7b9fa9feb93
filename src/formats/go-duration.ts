const unitSeconds: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

/** The seconds of a duration such as `1m30s` or `-1.5h`; undefined for other texts. Source: pkg.go.dev/time, ParseDuration */
export function goDurationSeconds(text: string): number | undefined {
  if (!/^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return undefined;
  const seconds = [...text.matchAll(/([\d.]+)([a-zµμ]+)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (unitSeconds[unit ?? ''] ?? 0),
    0,
  );
  return text.startsWith('-') ? -seconds : seconds;
}
