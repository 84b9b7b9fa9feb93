import { changeBytes } from '../mutation/change-bytes.js';
import { changeLines } from '../mutation/change-lines.js';
import { changeNode, type NodedText } from '../mutation/change-nodes.js';
import type { Random } from '../mutation/random.js';
import { nodesOf } from '../mutation/yaml-nodes.js';
import type { Target } from './target.js';

/** Inputs that ran branches which none before them did. */
export interface Corpus {
  readonly size: number;
  add(input: Buffer): void;
  /** One of them, changed. */
  next(): Buffer;
}

/** Enough to keep every path of a reader in reach. */
const maxInputs = 3000;
const usualMaxBytes = 64 * 1024;

interface Kept extends NodedText {
  readonly bytes: Buffer;
}

/** A corpus of a target, whose changes `random` chooses. */
export function corpusOf({ form, words = [], maxBytes = usualMaxBytes }: Target, random: Random): Corpus {
  const kept: (() => Kept)[] = [];
  // Half of the time what was found last, whose neighbours are not known yet.
  const pick = (): Kept => {
    const from = random.below(2) === 0 ? Math.max(0, kept.length - 24) : 0;
    return random.pick(kept.slice(from))();
  };
  const changed = (given: Kept): Buffer => {
    const other = pick();
    const kind = form === 'bytes' ? 0 : form === 'lines' ? random.below(5) : random.below(10);
    if (kind === 0) return changeBytes(given.bytes, other.bytes, words, random);
    if (kind < 5) return Buffer.from(changeLines(given.text, other.text, words, random));
    return Buffer.from(changeNode(given, other, random, form === 'json'));
  };
  return {
    get size() {
      return kept.length;
    },
    add: (input) => {
      if (kept.length >= maxInputs) kept.splice(random.below(maxInputs), 1);
      kept.push(onlyOnce(() => keptOf(input, form)));
    },
    next: () => {
      let input = pick();
      // What a change leaves is read anew where another one follows: mostly one is enough.
      for (let changes = 0; ; changes += 1) {
        const bytes = changed(input).subarray(0, maxBytes);
        if (changes === 3 || random.below(3) !== 0) return bytes;
        input = keptOf(bytes, form === 'bytes' ? 'bytes' : 'lines');
      }
    },
  };
}

/** Nodes are looked for where they are needed, and once. */
function keptOf(bytes: Buffer, form: Target['form']): Kept {
  const text = form === 'bytes' ? '' : bytes.toString('utf8');
  return { bytes, text, nodes: form === 'yaml' || form === 'json' ? nodesOf(text) : [] };
}

function onlyOnce<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
