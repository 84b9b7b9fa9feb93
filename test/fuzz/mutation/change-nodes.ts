import { oddJson, oddScalars } from './odd-texts.js';
import type { Random } from './random.js';
import type { NodeStretch } from './yaml-nodes.js';

/** A text and the positions of its YAML nodes. */
export interface NodedText {
  readonly text: string;
  readonly nodes: readonly NodeStretch[];
}

/** Deeper than the nesting limit of every reader in the product. */
const deepNesting = 200;

/** Changes one node: replaces, renames, doubles, deletes, wraps or tags it, or takes a node of the other text. */
export function changeNode(given: NodedText, other: NodedText, random: Random, isJson = false): string {
  const { text, nodes } = given;
  if (nodes.length === 0) return text;
  const { start, end, kind } = random.pick(nodes);
  const [before, here, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  const put = (instead: string): string => before + instead + after;
  if (kind === 'pair') return put(changedPair(here, lineBreakBefore(before), random, isJson));
  const odd = random.pick(isJson ? oddJson : oddScalars);
  switch (random.below(isJson ? 6 : 10)) {
    case 0:
    case 1:
      return put(odd);
    case 2:
      return put(other.nodes.length === 0 ? odd : random.pick(other.nodes).json);
    case 3:
      return put(random.pick(nodes).json);
    case 4:
      return put(numberNear(here, random));
    case 5:
      return put(`${'['.repeat(wrapsOf(random))}${here}${']'.repeat(wrapsOf(random))}`);
    case 6:
      return put(`&a ${here}`);
    case 7:
      return put('*a');
    case 8:
      return put(`${random.pick(['!!str', '!!int', '!!map', '!!seq', '!!null', '!x', '!!binary'])} ${here}`);
    default:
      return put(`? ${here}\n: ${odd}`);
  }
}

/** Usually 1, sometimes up to `deepNesting`. */
function wrapsOf(random: Random): number {
  return random.below(8) === 0 ? 1 + random.below(deepNesting) : 1;
}

function changedPair(here: string, lineBreak: string, random: Random, isJson: boolean): string {
  const between = isJson ? ',' : lineBreak;
  switch (random.below(4)) {
    case 0:
      return isJson ? '"x": 1' : 'x: 1';
    case 1:
      return `${here}${between}${here}`;
    case 2:
      return here.replace(
        /^("?)([\w.-]+)/,
        (_all, quote: string, name: string) => quote + renamed(name, random),
      );
    default:
      return `${here}${between}${isJson ? '"__proto__": {}' : '<<: {a: 1}'}`;
  }
}

/** A field name with one typo. */
function renamed(name: string, random: Random): string {
  const at = random.below(name.length);
  return random.pick([
    name.slice(0, at) + name.slice(at + 1),
    name.toLowerCase(),
    `${name}s`,
    name.slice(0, at) + name.slice(at, at + 1).toUpperCase() + name.slice(at + 1),
  ]);
}

/** A number or text close to the current one. */
function numberNear(here: string, random: Random): string {
  const digits = [...here.matchAll(/\d+/g)];
  if (digits.length === 0) return here;
  const { 0: number, index } = random.pick(digits);
  const near = random.pick([
    String(Number(number) + 1),
    String(Number(number) - 1),
    `${number}0`,
    `0${number}`,
    String(random.below(256)),
    '4294967296',
    '',
  ]);
  return here.slice(0, index) + near + here.slice(index + number.length);
}

/** A line break followed by the indentation of the current line. */
function lineBreakBefore(before: string): string {
  return `\n${/(?:^|\n)([ -]*)[^\n]*$/.exec(before)?.[1]?.replaceAll('-', ' ') ?? ''}`;
}
