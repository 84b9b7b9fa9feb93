import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { isRecord } from '../../../src/core/is-record.js';

const schema: unknown = JSON.parse(readFileSync('docs/output.schema.json', 'utf8'));

interface Names {
  readonly keys: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

/** Keys of objects and fixed values of a schema. */
function namesIn(value: unknown): Names {
  const [keys, values] = [new Set<string>(), new Set<string>()];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isRecord(node)) return;
    if (isRecord(node['properties'])) for (const key of Object.keys(node['properties'])) keys.add(key);
    const fixed = Array.isArray(node['enum']) ? node['enum'] : [node['const']];
    for (const each of fixed) if (typeof each === 'string') values.add(each);
    Object.values(node).forEach(visit);
  };
  visit(value);
  return { keys, values };
}

const camelCase = /^[a-z][a-zA-Z0-9]*$/;
/** Problem codes have two parts. */
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\/[a-z0-9]+(-[a-z0-9]+)*)?$/;

describe('names in JSON output', () => {
  const { keys, values } = namesIn(schema);

  it('are camelCase for keys', () => {
    expect(keys).toContain('bootableUntil');
    expect([...keys].filter((key) => !camelCase.test(key))).toEqual([]);
  });

  it('are kebab-case for values', () => {
    expect(values).toContain('not-started');
    // The name of an architecture, as in the metadata of CoreOS streams.
    expect([...values].filter((value) => !kebabCase.test(value))).toEqual(['x86_64']);
  });
});
