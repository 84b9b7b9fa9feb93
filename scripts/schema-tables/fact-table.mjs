// A table of the facts of many kinds in which equal schemas are stored once.
import { brotliCompressSync, constants } from 'node:zlib';

/** Names of facts whose values are schemas. */
const nested = {
  properties: 'map',
  additionalProperties: 'one',
  items: 'one',
  not: 'one',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
};

export function newTable() {
  const nodes = [];
  const indexes = new Map();
  const kinds = {};
  const add = (facts) => {
    const node = Object.fromEntries(
      Object.entries(facts)
        .toSorted(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, value]) => [name, stored(name, value)]),
    );
    const text = JSON.stringify(node);
    const index = indexes.get(text) ?? nodes.push(node) - 1;
    indexes.set(text, index);
    return index;
  };
  const stored = (name, value) => {
    switch (nested[name]) {
      case 'one':
        return add(value);
      case 'list':
        return value.map(add);
      case 'map':
        return Object.fromEntries(
          Object.entries(value)
            .toSorted(([left], [right]) => (left < right ? -1 : 1))
            .map(([field, each]) => [field, add(each)]),
        );
      default:
        return value;
    }
  };
  return {
    /** Adds the schema of a kind for a release and its feature sets. */
    add: ({ version, kind, release, sets, from, facts }) => {
      const root = add(facts);
      const rows = (kinds[`${version}/${kind}`] ??= []);
      const same = rows.find((row) => row.root === root && `${row.sets}` === `${sets}`);
      if (same) same.in.push(release);
      else rows.push({ in: [release], ...(sets && { sets }), ...(from && { from }), root });
    },
    has: ({ version, kind, release, sets }) =>
      kinds[`${version}/${kind}`]?.some((row) => row.in.includes(release) && `${row.sets}` === `${sets}`) ===
      true,
    value: () => ({ kinds: Object.fromEntries(Object.entries(kinds).toSorted()), nodes }),
  };
}

export function packed(value) {
  return brotliCompressSync(JSON.stringify(value), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  }).toString('base64');
}
