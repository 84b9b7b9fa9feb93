/** What is asked of a token of the YAML package, whose types one file alone imports. Source: eemeli/yaml src/parse/cst.ts */
interface Token {
  readonly type: string;
  readonly offset: number;
  /** Of a document. */
  readonly value?: Token;
  /** Of a collection, of which an item may have one without the other. */
  readonly items?: readonly Item[];
}

interface Item {
  /** What stands before the key or value. */
  readonly start: readonly Pick<Token, 'type' | 'offset'>[];
  readonly key?: Token | null;
  readonly value?: Token;
}

interface Waiting {
  readonly token: Token | null | undefined;
  readonly depth: number;
}

/**
 * The offset of the first collection that lies in more than `maxDepth` others; undefined where none does. It is asked before nodes
 * are made of tokens: the YAML package recurses for that, and where its stack ends depends on the process.
 */
export function firstBelow(maxDepth: number, tokens: readonly Token[]): number | undefined {
  for (const { token, depth } of collections(tokens)) if (depth > maxDepth) return token.offset;
  return undefined;
}

/** The offset of the first `?` before a key. */
export function firstExplicitKey(tokens: readonly Token[]): number | undefined {
  for (const { token } of collections(tokens)) {
    const marks = token.items?.flatMap(({ start }) => start) ?? [];
    const found = marks.find(({ type }) => type === 'explicit-key-ind');
    if (found !== undefined) return found.offset;
  }
  return undefined;
}

/** Collections in the order of the text, each before those in it. */
function* collections(
  tokens: readonly Token[],
): Generator<{ readonly token: Token; readonly depth: number }> {
  const waiting: Waiting[] = tokens.map((token) => ({ token, depth: 0 })).reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    if (token?.type === 'document') waiting.push({ token: token.value, depth });
    if (token?.items === undefined) continue;
    yield { token, depth };
    for (const { key, value } of token.items.toReversed())
      for (const below of [value, key]) waiting.push({ token: below, depth: depth + 1 });
  }
}
