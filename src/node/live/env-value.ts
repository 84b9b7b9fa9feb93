/**
 * Quotes a value for both readers, which take every character in single quotes literally. A single quote is put in double quotes
 * between two such strings. Source: systemd.exec(5) and src/basic/env-file.c; systemd rejects lines with control characters.
 */
export function quotedValue(name: string, value: string): string {
  if (/[\u0000-\u001f\u007f]/.test(value))
    throw new Error(`internal error: ${name} holds a control character, which the env file cannot carry`);
  return `'${value.replaceAll("'", `'"'"'`)}'`;
}
