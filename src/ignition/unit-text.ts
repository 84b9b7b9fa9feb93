/** The parts of a systemd unit file that the checks need. */
export interface UnitText {
  /** Section names in order, including duplicates. */
  readonly sections: readonly string[];
  /** The first line, from 1, that systemd does not understand. */
  readonly faultyLine?: number;
}

/**
 * Parses a unit file by the grammar of systemd.syntax(7): sections, `Name=value` assignments, comments, and continuation lines
 * after a backslash. Stops at the first other line.
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
    // A comment does not start or end a continuation; an empty line ends it.
    continues = isComment ? continues && line.trim() !== '' : line.endsWith('\\');
  }
  return { sections };
}
