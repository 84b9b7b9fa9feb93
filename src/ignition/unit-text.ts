/** What a systemd unit file says, as far as we ask. */
export interface UnitText {
  /** Section names in order, a repeated one each time. */
  readonly sections: readonly string[];
  /** The first line, from 1, that systemd would not understand. */
  readonly faultyLine?: number;
}

/**
 * Reads a unit file by the grammar of systemd.syntax(7): sections, `Name=value` inside them, comments, and lines that
 * go on after a backslash. Stops at the first line that is none of these.
 */
export function parseUnit(text: string): UnitText {
  const sections: string[] = [];
  let continues = false;
  for (const [index, line] of text.split('\n').entries()) {
    const isComment = /^\s*(?:[#;].*)?$/.test(line);
    const section = /^\s*\[([^\][]+)\]\s*$/.exec(line)?.[1];
    const isSetting = sections.length > 0 && /^\s*[A-Za-z][A-Za-z0-9-]*\s*=/.test(line);
    if (!continues && section !== undefined) sections.push(section);
    else if (!continues && !isComment && !isSetting) return { sections, faultyLine: index + 1 };
    // A comment neither begins nor ends a continued line; an empty line ends it.
    continues = isComment ? continues && line.trim() !== '' : line.endsWith('\\');
  }
  return { sections };
}
