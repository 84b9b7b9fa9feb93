import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { problemsOf } from '../../../src/core/result.js';
import { readObjects } from '../../../src/manifests/edits/documents.js';
import { showProblem } from '../../support/show-problem.js';

describe('readObjects', () => {
  it('gives each document as its author wrote it', () => {
    const first = 'kind: ConfigMap # mine\nmetadata: {name: a}\napiVersion: v1\ndata: {a: yes}\n';
    const second = '{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "b", "namespace": "c"}}';
    const read = readObjects('openshift/mine.yaml', Buffer.from(`${first}---\n${second}`));
    expect(read.ok && read.value.map(({ object, text }) => ({ object, text }))).toEqual([
      // Parsed as YAML 1.1, as on the node.
      {
        object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: true } },
        text: first,
      },
      { object: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'b', namespace: 'c' } }, text: second },
    ]);
  });

  it.each(['---\n', '---\n# end\n', '...\n', '---\n---\n'])('accepts a last separator %j', (end) => {
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n${end}`;
    const read = readObjects('f.yaml', Buffer.from(text));
    expect(read.ok && read.value.map((object) => object.text)).toEqual([text]);
  });

  it.each([
    {
      name: 'no UTF-8',
      given: Buffer.from([0x66, 0x6f, 0xff]),
      want: ['error[manifest/not-text] f.yaml: the file is not UTF-8 text'],
    },
    {
      name: 'UTF-16',
      given: Buffer.from('apiVersion: v1\n', 'utf16le'),
      want: ['error[manifest/not-text] f.yaml: the file is not UTF-8 text'],
    },
    {
      name: 'an object larger than etcd takes',
      given: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: ${'x'.repeat(1.5 * 1024 * 1024)}}\n`,
      want: [
        'error[manifest/too-large] f.yaml: the object is larger than 1.5 MiB, which cannot be installed',
      ],
    },
    {
      name: 'a file that fits nowhere',
      given: Buffer.alloc(16 * 1024 * 1024 + 1, '#'),
      want: ['error[manifest/too-large] f.yaml: the file is larger than 16 MiB, which cannot be installed'],
    },
    {
      name: 'nothing',
      given: '',
      want: ['error[manifest/not-an-object] f.yaml: the file contains no object'],
    },
    {
      name: 'a directive alone',
      given: '%YAML 1.1\n',
      want: ['error[manifest/not-an-object] f.yaml:1: the file contains no object'],
    },
    {
      name: 'broken YAML in the second document',
      given: 'apiVersion: v1\nkind: A\nmetadata: {name: a}\n---\napiVersion: v1\n\tkind: B\n',
      want: ['error[manifest/syntax] f.yaml:6:1: tabs are not allowed as indentation'],
    },
    {
      name: 'broken JSON',
      given: '{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}\n',
      want: ['error[manifest/syntax] f.yaml:1:1: a bracket of this line is not closed'],
    },
    {
      name: 'a key given twice',
      given: 'apiVersion: v1\nkind: A\nkind: B\nmetadata: {name: a}\n',
      want: ['error[manifest/syntax] f.yaml:3:1: "kind" is given twice, first on line 2'],
    },
    {
      name: 'a key given twice in the second document',
      given: 'apiVersion: v1\nkind: A\nmetadata: {name: a}\n---\nkind: A\nkind: B\n',
      want: ['error[manifest/syntax] f.yaml:6:1: "kind" is given twice, first on line 5'],
    },
    {
      name: 'two documents without a separator',
      given: 'apiVersion: v1\nkind: A\nmetadata: {name: a}\n...\napiVersion: v1\n',
      want: ['error[manifest/syntax] f.yaml:1: two documents are not separated by a line "---"'],
    },
    {
      name: 'a list',
      given: '- apiVersion: v1\n',
      want: ['error[manifest/not-an-object] f.yaml:1:1: the document is a list, expected an object'],
    },
    {
      name: 'a text',
      given: 'hello\n',
      want: ['error[manifest/not-an-object] f.yaml:1:1: the document is a single value, expected an object'],
    },
    {
      name: 'an object of kind List',
      given: 'apiVersion: v1\nkind: List\nitems: []\n',
      want: ['error[manifest/list] f.yaml:2:7 (kind): a List is not read on the node'],
    },
    {
      name: 'a list of one kind',
      given: 'apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: a}\n',
      want: ['error[manifest/list] f.yaml:2:7 (kind): a ConfigMapList is not read on the node'],
    },
    ...['[]', '{}', ''].map((items) => ({
      name: `a ConfigMap with top-level items: ${items}`,
      given: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nitems: ${items}\n`,
      want: [
        'error[manifest/list] f.yaml:4:1 (items): a top-level field "items" makes the object a list, which is not read on the node',
      ],
    })),
    {
      name: 'an object without anything',
      given: 'data: {}\n',
      want: [
        'error[manifest/missing-field] f.yaml:1:1 (apiVersion): apiVersion is missing',
        'error[manifest/missing-field] f.yaml:1:1 (kind): kind is missing',
        'error[manifest/missing-field] f.yaml:1:1 (metadata.name): metadata.name is missing',
      ],
    },
    {
      name: 'fields of the wrong type',
      given:
        'apiVersion: 1\nkind: {}\nmetadata:\n  name: 12\n  namespace: 7\n  labels: {a: true}\n  annotations: {b: 1, c: "1", d: null}\n',
      want: [
        'error[manifest/field-type] f.yaml:1:13 (apiVersion): apiVersion must be a string',
        'error[manifest/field-type] f.yaml:2:1 (kind): kind must be a string, not a map',
        'error[manifest/field-type] f.yaml:4:9 (metadata.name): metadata.name must be a string',
        'error[manifest/field-type] f.yaml:5:14 (metadata.namespace): metadata.namespace must be a string',
        'error[manifest/field-type] f.yaml:6:15 (metadata.labels.a): metadata.labels.a must be a string',
        'error[manifest/field-type] f.yaml:7:20 (metadata.annotations.b): metadata.annotations.b must be a string',
      ],
    },
    {
      name: 'a name to be generated',
      given: 'apiVersion: v1\nkind: A\nmetadata:\n  generateName: a-\n',
      want: [
        'error[manifest/generate-name] f.yaml:4:3 (metadata.generateName): metadata.generateName cannot be used in a manifest',
      ],
    },
    {
      name: 'a name that is too long',
      given: `apiVersion: v1\nkind: A\nmetadata:\n  name: ${'a'.repeat(254)}\n`,
      want: [
        'error[manifest/name-too-long] f.yaml:4:9 (metadata.name): metadata.name has 254 characters, expected at most 253',
      ],
    },
    {
      name: 'problems of every document',
      given: 'kind: A\nmetadata: {name: a}\n---\napiVersion: v1\nmetadata: {name: b}\n',
      want: [
        'error[manifest/missing-field] f.yaml:1:1 (apiVersion): apiVersion is missing',
        'error[manifest/missing-field] f.yaml:4:1 (kind): kind is missing',
      ],
    },
  ])('refuses $name', ({ given, want }) => {
    const read = readObjects('f.yaml', Buffer.from(given));
    expect(read.ok).toBe(false);
    expect(problemsOf(read).map(showProblem)).toEqual(want);
  });

  it('gives a result for whatever bytes there are', () => {
    const words = fc.constantFrom(
      'apiVersion: v1\n',
      'kind: A\n',
      'metadata: {name: a}\n',
      '---\n',
      '...\n',
      '- ',
      '{',
      '"',
      '&a ',
      '*a',
      '\t',
    );
    const texts = fc
      .array(fc.oneof(words, fc.string()), { maxLength: 20 })
      .map((parts) => Buffer.from(parts.join('')));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), texts), (bytes) => {
        const read = readObjects('f.yaml', bytes);
        expect(read.ok ? read.value.length : read.problems.length).toBeGreaterThan(0);
      }),
    );
  });

  it('runs in time proportional to the number of documents', () => {
    const text = Array.from(
      { length: 3000 },
      (_, n) => `apiVersion: v1\nkind: A\nmetadata: {name: a${n}}\n`,
    ).join('---\n');
    const read = readObjects('f.yaml', Buffer.from(text));
    expect(read.ok && read.value.length).toBe(3000);
  });
});
