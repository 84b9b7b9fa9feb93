import { tracedText, type Origin, type Traced, type TracedText } from './traced.js';
import { inQuotes } from '../formats/yaml/yaml-scalars.js';

/**
 * The text of a file by its name: one of `.json` is JSON, which some of its readers ask for (a pull secret), all others are YAML. Each
 * value stands on a line of its own.
 */
export function tracedFile(path: string, documents: readonly Traced[]): TracedText {
  const [root, ...more] = documents;
  if (root === undefined || more.length > 0 || !path.endsWith('.json')) return tracedText(documents);
  const lines = linesOf(root, { head: '', tail: '' });
  return {
    text: lines.map(({ text }) => `${text}\n`).join(''),
    origins: lines.map(({ origin }) => origin),
  };
}

interface Line {
  readonly text: string;
  readonly origin: Origin;
}

/** What stands before a value in its first line, and behind it in its last. */
interface Around {
  readonly head: string;
  readonly tail: string;
}

function linesOf(node: Traced, { head, tail }: Around): readonly Line[] {
  const { origin } = node;
  const within = (brackets: string, inner: readonly Line[]): readonly Line[] => [
    { text: `${head}${brackets.charAt(0)}`, origin },
    ...inner,
    { text: `${brackets.charAt(1)}${tail}`, origin },
  ];
  switch (node.kind) {
    case 'scalar':
      return [{ text: `${head}${node.yaml}${tail}`, origin }];
    case 'list':
      return within(
        '[]',
        node.items.flatMap((item, index) => linesOf(item, { head: '', tail: comma(index, node.items) })),
      );
    case 'map':
      return within(
        '{}',
        node.entries.flatMap(({ key, value }, index) =>
          linesOf(value, { head: `${inQuotes(key)}: `, tail: comma(index, node.entries) }),
        ),
      );
  }
}

function comma(index: number, all: readonly unknown[]): string {
  return index === all.length - 1 ? '' : ',';
}
