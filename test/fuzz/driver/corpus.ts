import { changeBytes } from '../mutation/change-bytes.js';
import { changeLines } from '../mutation/change-lines.js';
import { changeNode, type NodedText } from '../mutation/change-nodes.js';
import type { Random } from '../mutation/random.js';
import { nodesOf } from '../mutation/yaml-nodes.js';
import type { Target } from './target.js';

/** Inputs that each covered a new branch when they were found. */
export interface Corpus {
  readonly size: number;
  add(input: Buffer): void;
  /** A changed copy of one input. */
  next(): Buffer;
}

/** Enough to keep every path of a reader reachable. */
const maxInputs = 3000;
const usualMaxBytes = 64 * 1024;

interface Kept extends NodedText {
  readonly bytes: Buffer;
}

/** The corpus of a target; `random` chooses its changes. */
export function corpusOf({ form, words = [], maxBytes = usualMaxBytes }: Target, random: Random): Corpus {
  const kept: (() => Kept)[] = [];
  // Picks one of the newest inputs half of the time, since few variations of them were tried.
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
      // Each further change needs a new parse; usually one change is enough.
      for (let changes = 0; ; changes += 1) {
        const bytes = changed(input).subarray(0, maxBytes);
        if (changes === 3 || random.below(3) !== 0) return bytes;
        input = keptOf(bytes, form === 'bytes' ? 'bytes' : 'lines');
      }
    },
  };
}

/** Parses nodes lazily. */
function keptOf(bytes: Buffer, form: Target['form']): Kept {
  const text = form === 'bytes' ? '' : bytes.toString('utf8');
  return { bytes, text, nodes: form === 'yaml' || form === 'json' ? nodesOf(text) : [] };
}

function onlyOnce<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
