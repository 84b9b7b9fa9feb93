import { expect, test } from 'vitest';

import { expandDocument } from '../../../src/fleet/table/expand-document.js';
import { mergePatch } from '../../../src/formats/yaml/merge-patch.js';
import { writeTraced, writeTracedFile, type Traced } from '../../../src/formats/yaml/traced.js';
import { readYaml } from '../../../src/formats/yaml/yaml.js';
import { toData } from '../../../src/formats/yaml/yaml-tree.js';

function traced(text: string): Traced {
  const [document] = readYaml(text).documents;
  if (document === undefined) throw new Error(`no YAML: ${text}`);
  return expandDocument(document, { file: 'a.json', text }, { known: new Map(), empty: new Map() }).root;
}

/** Source: RFC 7396, appendix A */
test.each([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
])('%s with %s over it is %s', (base, patch, want) => {
  const merged = mergePatch(traced(base), traced(patch));
  const { text } = writeTraced([merged]);
  expect(readYaml(text).documents.map(toData)).toEqual([JSON.parse(want)]);

  // A .json file must be valid JSON, and each of its lines keeps its origin.
  const file = writeTracedFile('a.json', [merged]);
  expect(JSON.parse(file.text)).toEqual(JSON.parse(want));
  expect(readYaml(file.text).documents.map(toData)).toEqual([JSON.parse(want)]);
  expect(file.text.split('\n')).toHaveLength(file.origins.length + 1);
});
