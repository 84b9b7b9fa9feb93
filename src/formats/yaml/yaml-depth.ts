/** What is asked of a token of the YAML package, whose types one file alone imports. Source: eemeli/yaml src/parse/cst.ts */
interface Token {
  readonly type: string;
  readonly offset: number;
  /** Of a document. */
  readonly value?: Token;
  /** Of a collection, of which an item may have one without the other. */
  readonly items?: readonly { readonly key?: Token | null; readonly value?: Token }[];
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
  const waiting: Waiting[] = tokens.map((token) => ({ token, depth: 0 })).reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    if (token?.type === 'document') waiting.push({ token: token.value, depth });
    if (token?.items === undefined) continue;
    if (depth > maxDepth) return token.offset;
    for (const { key, value } of token.items.toReversed())
      for (const below of [value, key]) waiting.push({ token: below, depth: depth + 1 });
  }
  return undefined;
}
