import type { LineIndex } from './line-index.js';
import type { Span } from './yaml-tree.js';

export interface Fault {
  /** `syntax` and `size` leave no document. `duplicate-key` keeps the first of the two values that is not null. */
  readonly kind: 'syntax' | 'size' | 'duplicate-key';
  /** One lower-case sentence without a full stop. */
  readonly message: string;
  readonly hint?: string;
}

/** A fault in YAML syntax, independent of any schema. */
export interface YamlFault extends Fault {
  readonly span: Span;
}

/** Hint for unrendered template syntax. */
export const fillInBraces = 'fill in the template: "{{ … }}" is still there';

/** An error of the `yaml` package: its code, its text and its character offsets. */
export interface YamlError {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** Translates errors of the `yaml` package to our messages (its list: eemeli/yaml src/errors.ts), without those that follow from another. */
export function syntaxFaults(
  errors: readonly YamlError[],
  text: string,
  lines: LineIndex,
): readonly YamlFault[] {
  const marker = errors.length === 0 ? null : conflictMarker.exec(text);
  if (marker !== null) return [{ ...mergeConflict, span: lines.span(marker.index, marker.index + 7) }];
  const diff = errors.length === 0 ? undefined : diffLine(errors, text);
  if (diff !== undefined) return [{ ...pastedDiff, span: lines.span(diff.from, diff.to) }];
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  return (tabs.length > 0 ? tabs : errors).map((error) => {
    const [from, to] = error.pos;
    const key = deeperKey(error, errors, text);
    if (key !== undefined) return { ...indentedTooFar, span: lines.span(key.from, key.to) };
    const fault = syntaxFault(error, lines.span(from, to));
    return /\{\{/.test(lineAt(text, from)) ? { ...fault, hint: fillInBraces } : fault;
  });
}

/** The first line of a conflict as git-merge(1) writes it. */
const conflictMarker = /^<{7} /m;

const mergeConflict = {
  kind: 'syntax',
  message: 'this file contains an unresolved merge conflict',
  hint: 'keep one of the two versions, and remove the lines with "<<<<<<<", "=======" and ">>>>>>>"',
} as const;

/** Also a line that is a key, such as `+baseDomain: example.com`. */
export const pastedDiff = {
  kind: 'syntax',
  message: 'this line starts like a line of a diff',
  hint: 'remove the "+" before added lines, and all of the lines with "-" or "@@"',
} as const;

/** The first line of a diff: with "@@" or "+", or a line with an error and "-" before a key. */
function diffLine(
  errors: readonly YamlError[],
  text: string,
): { readonly from: number; readonly to: number } | undefined {
  const sure = /^(?:@@ -\d|\+).*/m.exec(text);
  const removed = errors
    .map(({ pos: [at] }) => text.lastIndexOf('\n', at - 1) + 1)
    .find((start) => /^-(?: {2,}|(?![\s-])).*:/.test(lineAt(text, start)));
  const places = [...(sure === null ? [] : [sure.index]), ...(removed === undefined ? [] : [removed])];
  if (places.length === 0) return undefined;
  const from = Math.min(...places);
  return { from, to: from + lineAt(text, from).length };
}

/** Whether a fault is of many lines, so that no single line can be mended. */
export function isOfWholeText({ message, hint }: YamlFault): boolean {
  return message === mergeConflict.message || message === pastedDiff.message || hint === fillInBraces;
}

const openBracket = {
  message: 'a bracket before this place is not closed',
  hint: 'close it with "]" or "}"',
} as const;

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, end === -1 ? text.length : end);
}

/**
 * A key that is indented deeper than the previous one continues its value. The package then reports a multi-line key
 * inside that value. Returns the position of the deeper key.
 */
function deeperKey(
  { pos: [from] }: YamlError,
  errors: readonly YamlError[],
  text: string,
): { readonly from: number; readonly to: number } | undefined {
  const both = ['BLOCK_AS_IMPLICIT_KEY', 'MULTILINE_IMPLICIT_KEY'].map((code) =>
    errors.find((each) => each.code === code && each.pos[0] === from),
  );
  const end = both[0] && both[1]?.pos[1];
  if (end === undefined) return undefined;
  const line = text.lastIndexOf('\n', end - 1) + 1;
  const blanks = /^ */.exec(text.slice(line, end))?.[0].length ?? 0;
  return line > from ? { from: line + blanks, to: end } : undefined;
}

const indentedTooFar = {
  kind: 'syntax',
  message: 'this line is indented more than its siblings',
  hint: 'start it in the same column as the key above it',
} as const;

function syntaxFault({ code, message }: YamlError, span: Span): YamlFault {
  const [, sentence = sentences[code]] = ofMessages.find(([start]) => message.startsWith(start)) ?? [];
  return { kind: 'syntax', ...(sentence ?? { message: 'this is not valid YAML' }), span };
}

// Faults of a whole text.

/** Reported at the quote; the package reports the end of the file. */
export const openQuote = {
  kind: 'syntax',
  message: 'this quote is never closed',
  hint: 'close it at the end of the value; if the end of the value is missing, paste all of it again',
} as const;

/** YAML 1.1 parsers read some of these characters as line breaks and reject the others. */
export const unwritable = {
  kind: 'syntax',
  message: 'this character is not allowed in YAML',
  hint: 'leave it out, or write its escape in double quotes, such as "\\u2028"',
} as const;

/** Go's parser reads some of these keys differently. */
export const explicitKey = {
  kind: 'syntax',
  message: 'a key after "?" is not supported',
  hint: 'write "key: value"',
} as const;

export function tooManyTokens(limit: number): Fault {
  return { kind: 'size', message: `the YAML has more than ${limit} parts` };
}

export const tooDeep = { kind: 'size', message: 'the YAML is nested too deeply' } as const;

// Faults of one node.

export const tooHeavy = {
  kind: 'size',
  message: 'the aliases of this YAML expand to too many values',
} as const;

export const unknownAlias = { kind: 'syntax', message: 'this alias has no anchor above it' } as const;

export const tagFault = {
  kind: 'syntax',
  message: 'tags other than those of strings, numbers, lists and maps are not supported',
} as const;

/** Other programs reject such a value, or read a different one. */
export const wrongTag = {
  kind: 'syntax',
  message: 'the value does not match its tag',
  hint: 'leave the tag out',
} as const;

/** Written as an escape. */
export const loneSurrogate = {
  kind: 'syntax',
  message: 'half of a surrogate pair is not a character',
  hint: 'write the character itself, or its escape with eight digits after "\\U"',
} as const;

export const keyIsNoText = { kind: 'syntax', message: 'a key must be a string' } as const;

/** Other programs read such a key differently: `yes` as true, `0x10` as 16. */
export const ambiguousKey = { ...keyIsNoText, hint: 'put it in quotes' } as const;

export const mergeOfNoMap = { kind: 'syntax', message: 'only maps can be merged with "<<"' } as const;

export function duplicateKey(key: string, { line }: Span): Fault {
  return {
    kind: 'duplicate-key',
    message: `${key} is given twice, first on line ${line}`,
    hint: 'keep one of the two',
  };
}

/** Keeps one fault per line, since further ones are usually consequences, and at most `limit` in total. */
export function firstOfEachLine(faults: readonly YamlFault[], limit: number): readonly YamlFault[] {
  const seen = new Map<number, YamlFault>();
  for (const fault of faults) if (!seen.has(fault.span.line)) seen.set(fault.span.line, fault);
  return [...seen.values()].slice(0, limit);
}

interface Sentence {
  readonly message: string;
  readonly hint?: string;
}

const quoteIt = 'put the text in single quotes';
const noKey = {
  message: 'this line is no key with a value',
  hint: 'write "key: value" with a space after the colon, or start a comment with "#"',
};

/** By the start of the package's text, for codes that mean several faults. */
const ofMessages: readonly (readonly [string, Sentence])[] = [
  ['Flow map in block', openBracket],
  ['Flow sequence in block', openBracket],
  ['Implicit map keys need', noKey],
];

const sentences: Readonly<Record<string, Sentence>> = {
  ALIAS_PROPS: { message: 'an alias cannot have an anchor or a tag' },
  BAD_ALIAS: {
    message: 'a name is missing after "*" or "&"',
    hint: `to start a text with such a character, ${quoteIt}`,
  },
  BAD_COLLECTION_TYPE: { message: 'the tag does not match the value after it' },
  BAD_DIRECTIVE: { message: 'this line starts with "%" but is not a YAML directive' },
  BAD_DQ_ESCAPE: {
    message: 'unknown escape after "\\" in a text in double quotes',
    hint: 'use single quotes, where "\\" is a plain character',
  },
  BAD_INDENT: {
    message: 'the indentation does not fit the lines around it',
    hint: 'start all keys of a map, and all dashes of a list, in the same column: here and in the lines above',
  },
  BAD_PROP_ORDER: { message: 'an anchor or a tag must be directly before its value' },
  BAD_SCALAR_START: { message: 'a text without quotes cannot start with this character', hint: quoteIt },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'two keys are on one line',
    hint: `start a new line for the second; when ": " is part of a text, ${quoteIt}`,
  },
  BLOCK_IN_FLOW: { message: 'lines with keys or dashes are not allowed between brackets' },
  KEY_OVER_1024_CHARS: {
    message: 'a key is longer than 1024 characters',
    hint: 'is a quote or a line break missing?',
  },
  MISSING_CHAR: { message: 'a character is missing: a bracket, a comma, ":" or a space' },
  MULTILINE_IMPLICIT_KEY: noKey,
  MULTIPLE_ANCHORS: { message: 'a value has two anchors' },
  MULTIPLE_TAGS: { message: 'a value has two tags' },
  TAB_AS_INDENT: { message: 'tabs are not allowed as indentation', hint: 'use spaces' },
  TAG_RESOLVE_FAILED: { message: 'this tag is not known' },
  UNEXPECTED_TOKEN: { message: 'this is not expected here' },
};
