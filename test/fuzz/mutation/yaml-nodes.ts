import { isCollection, isPair, isScalar, parseAllDocuments, visit, type Pair } from 'yaml';

/** The range of one YAML node in a text, with its JSON value if it has one. */
export interface NodeStretch {
  readonly start: number;
  readonly end: number;
  readonly kind: 'key' | 'value' | 'pair';
  readonly json: string;
}

/** Nodes beyond this number are ignored. */
const maxNodes = 2000;

/** Every key, value and pair of a YAML or JSON text, as far as it can be parsed. */
export function nodesOf(text: string): readonly NodeStretch[] {
  const found: NodeStretch[] = [];
  const add = (kind: NodeStretch['kind'], node: unknown, stretch = stretchOf(node)): void => {
    if (stretch !== undefined && found.length < maxNodes)
      found.push({ ...stretch, kind, json: jsonOf(node) });
  };
  try {
    for (const document of parseAllDocuments(text, { logLevel: 'silent' })) {
      if (!('contents' in document)) continue;
      visit(document, {
        Pair: (_key, pair) => {
          add('pair', pair.value, stretchOfPair(pair));
        },
        Node: (key, node) => {
          add(key === 'key' ? 'key' : 'value', node);
        },
      });
    }
  } catch {
    // Texts that do not parse are changed by lines and bytes only.
  }
  return found;
}

function stretchOf(node: unknown): Pick<NodeStretch, 'start' | 'end'> | undefined {
  const range = isScalar(node) || isCollection(node) ? node.range : undefined;
  return range ? { start: range[0], end: range[1] } : undefined;
}

function stretchOfPair({ key, value }: Pair): Pick<NodeStretch, 'start' | 'end'> | undefined {
  const [first, last] = [stretchOf(key), stretchOf(value) ?? stretchOf(key)];
  return first && last ? { start: first.start, end: last.end } : undefined;
}

/** A node as text that is valid at any position in a document. */
function jsonOf(node: unknown): string {
  if (isPair(node) || node === null) return 'null';
  try {
    const json: unknown = JSON.stringify(
      isScalar(node) ? node.value : isCollection(node) ? node.toJSON() : null,
    );
    return typeof json === 'string' && json.length < 4096 ? json : 'null';
  } catch {
    return 'null';
  }
}
