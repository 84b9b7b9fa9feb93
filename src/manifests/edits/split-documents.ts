/** One document of a file that may hold several. */
export interface TextDocument {
  readonly text: string;
  /** The line of the file at which the text starts, from 1. */
  readonly line: number;
}

/**
 * The documents of a YAML text that are not blank. A text with a single document is kept whole, separators and all,
 * unless a reader that takes only the first document would miss it.
 * Documents end where Kubernetes ends them: at a line that starts with `---`.
 * Source: kubernetes/apimachinery pkg/util/yaml splitYAMLDocument.
 */
export function splitDocuments(text: string): readonly TextDocument[] {
  const pieces = cutAtSeparators(text);
  const [only, ...others] = pieces.filter((piece) => !isBlank(piece.text));
  if (only === undefined) return [];
  if (others.length > 0) return [only, ...others].map(({ text, line }) => ({ text, line }));
  const { index } = only;
  const isFirst = index === 0 || (index === 1 && isBlank(pieces[0]?.text ?? ''));
  return [isFirst ? { text, line: 1 } : { text: only.text, line: only.line }];
}

interface Piece extends TextDocument {
  readonly index: number;
}

const separator = /^---(?=[ \t\r\n]|$)[^\n]*(?:\n|$)/gm;

function cutAtSeparators(text: string): readonly Piece[] {
  const cuts = [...text.matchAll(separator)];
  const starts = [0, ...cuts.map((cut) => cut.index + (holdsContent(cut[0]) ? 0 : cut[0].length))];
  const ends = [...cuts.map((cut) => cut.index), text.length];
  let line = 1;
  let counted = 0;
  return starts.map((start, index) => {
    line += countLineBreaks(text.slice(counted, start));
    counted = start;
    return { text: text.slice(start, ends[index]), line, index };
  });
}

/** `--- {a: b}` opens a document on the line of its separator. */
function holdsContent(separatorLine: string): boolean {
  return !isBlank(separatorLine.slice('---'.length));
}

function isBlank(text: string): boolean {
  return /^(?:[ \t\r]*(?:#[^\n]*)?(?:\n|$))*$/.test(text);
}

function countLineBreaks(text: string): number {
  return text.split('\n').length - 1;
}
