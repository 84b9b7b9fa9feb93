import { Composer, CST, Lexer, Parser, type Document } from 'yaml';

import { explicitKey, openQuote, tooDeep, tooManyTokens, unwritable, type Fault } from './yaml-faults.js';
import { firstUnwritable } from './yaml-scalars.js';

/** Deeper than any configuration, and low enough for recursive code. */
export const maxDepth = 64;

/** Documents of the `yaml` package, or the fault that makes the text unreadable. */
export type Composed =
  { readonly documents: readonly Document.Parsed[] } | { readonly fault: Fault; readonly offset: number };

/** Checks the number of tokens and the nesting before the package builds nodes, since it recurses and could overflow the stack. */
export function compose(text: string, maxTokens: number): Composed {
  const unwritableAt = firstUnwritable(text);
  if (unwritableAt !== undefined) return { fault: unwritable, offset: unwritableAt };
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (isOpenQuote(lexeme)) return { fault: openQuote, offset: parser.offset };
    if (count > maxTokens) return { fault: tooManyTokens(maxTokens), offset: parser.offset };
    tokens.push(...parser.next(lexeme));
  }
  tokens.push(...parser.end());
  for (const { token, depth } of collections(tokens))
    if (depth > maxDepth) return { fault: tooDeep, offset: token.offset };
  for (const { token } of collections(tokens)) {
    const sign = token.items.flatMap(({ start }) => start).find(({ type }) => type === 'explicit-key-ind');
    if (sign !== undefined) return { fault: explicitKey, offset: sign.offset };
  }
  const composer = new Composer({
    // The package compares every key with every other one. The tree builder finds duplicates faster.
    uniqueKeys: false,
    version: '1.1',
    prettyErrors: false,
    logLevel: 'silent',
  });
  return { documents: [...composer.compose(tokens)] };
}

/** Whether a quote is never closed. The lexer returns quoted text as one lexeme, in this case up to the end of the file. */
function isOpenQuote(lexeme: string): boolean {
  const quote = lexeme.charAt(0);
  return (quote === '"' || quote === "'") && (lexeme.length === 1 || !lexeme.endsWith(quote));
}

interface Collection {
  readonly token: CST.BlockMap | CST.BlockSequence | CST.FlowCollection;
  readonly depth: number;
}

/** Collections in text order, each before its children. */
function* collections(tokens: readonly CST.Token[]): Generator<Collection> {
  const waiting: { token: CST.Token | null | undefined; depth: number }[] = tokens
    .map((token) => ({ token, depth: 0 }))
    .reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    if (token?.type === 'document') waiting.push({ token: token.value, depth });
    if (!CST.isCollection(token)) continue;
    yield { token, depth };
    for (const { key, value } of token.items.toReversed())
      for (const below of [value, key]) waiting.push({ token: below, depth: depth + 1 });
  }
}
