/**
 * Characters that control a terminal, change the direction of the text around them, or are invisible: control and format characters
 * (U+202E, U+2066, U+200B), surrogates, private use, line and paragraph separators, and fillers, which are letters without a glyph.
 * Source: unicode.org, UAX #44, General_Category; UAX #9
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u034f\u115f\u1160\u2800\u3164\uffa0]/gu;

/** Makes untrusted text safe for a terminal: one line, with control, format and separator characters replaced by a dot. */
export function printable(text: string): string {
  return text.replace(unprintable, '\u00b7');
}
