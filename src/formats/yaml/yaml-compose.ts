import { Composer, Lexer, Parser, type CST, type Document } from 'yaml';

import { maxDepth } from './yaml-building.js';
import { firstBelow, firstExplicitKey } from './yaml-depth.js';

/** Documents as the package reads them, or why it was not asked to. */
export type Composed =
  | { readonly kind: 'composed'; readonly documents: readonly Document.Parsed[]; readonly openQuote?: number }
  | { readonly kind: 'too-large'; readonly offset: number }
  | { readonly kind: 'too-deep'; readonly offset: number }
  /** A key behind a `?`. */
  | { readonly kind: 'explicit-key'; readonly offset: number };

/** Tokens, and their nesting, are counted before anything is built of them. */
export function compose(text: string, maxTokens: number): Composed {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (hasOpenQuote(lexeme)) return { kind: 'composed', documents: [], openQuote: parser.offset };
    if (count > maxTokens) return { kind: 'too-large', offset: parser.offset };
    tokens.push(...parser.next(lexeme));
  }
  tokens.push(...parser.end());
  const tooDeepAt = firstBelow(maxDepth, tokens);
  if (tooDeepAt !== undefined) return { kind: 'too-deep', offset: tooDeepAt };
  const explicitAt = firstExplicitKey(tokens);
  if (explicitAt !== undefined) return { kind: 'explicit-key', offset: explicitAt };
  // Duplicate keys are found by buildDocument: the package compares every key with every other.
  const composer = new Composer({
    uniqueKeys: false,
    version: '1.1',
    prettyErrors: false,
    logLevel: 'silent',
  });
  return { kind: 'composed', documents: [...composer.compose(tokens)] };
}

/** A text in quotes that runs to the end of the file: the lexer gives one lexeme a text. */
function hasOpenQuote(lexeme: string): boolean {
  const quote = lexeme.charAt(0);
  return (quote === '"' || quote === "'") && (lexeme.length === 1 || !lexeme.endsWith(quote));
}
