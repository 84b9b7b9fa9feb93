/** Far deeper than any configuration, and far from the end of the stack of code that recurses. Go's own limit is 10,000. */
const maxDepth = 1000;

/**
 * The value of a JSON text; undefined when it is none, or is nested more than 1,000 levels deep. Its error, which would repeat the text,
 * is dropped.
 */
export function parseJson(text: string): unknown {
  const value = valueOf(text);
  return isTooDeep(value) ? undefined : value;
}

/** Why `parseJson` gives no value: `is not JSON`, or that it is nested too deeply. */
export function whyNotJson(text: string): string {
  return valueOf(text) === undefined ? 'is not JSON' : `is nested more than ${maxDepth} levels deep`;
}

function valueOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Level by level, not by recursion. */
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
