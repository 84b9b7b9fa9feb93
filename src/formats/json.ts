/** Far deeper than any configuration, and low enough for recursive code. Go's limit is 10,000. */
const maxDepth = 1000;

/**
 * Parses JSON; undefined if the text is invalid or nested more than 1,000 levels deep. Drops the error message of the parser,
 * which quotes the text.
 */
export function parseJson(text: string): unknown {
  const value = valueOf(text);
  return isTooDeep(value) ? undefined : value;
}

/** Why `parseJson` fails: `is not JSON`, or that the text is nested too deeply. */
export function whyNotJson(text: string): string {
  return valueOf(text) === undefined ? 'is not JSON' : `is nested more than ${maxDepth} levels deep`;
}

/** Whether a string, list or map is still open at the end of the text. */
export function isCutOff(text: string): boolean {
  const structure = text.replace(/"(?:[^"\\]|\\.)*"/gs, '');
  const open = structure.split(/[{[]/).length - structure.split(/[}\]]/).length;
  return open > 0 || (open === 0 && structure.includes('"'));
}

function valueOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Iterates level by level instead of recursing. */
function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    const below: object[] = [];
    for (const outer of level)
      for (const inner of Object.values(outer) as unknown[]) if (isNested(inner)) below.push(inner);
    level = below;
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
