import { readFileSync, readdirSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

import { commentedSnoConfig } from '../src/config/commented-sno-config.js';
import { schemaModeline } from '../src/config/schema/schema-url.js';
import { readYaml } from '../src/formats/yaml/yaml.js';
import { toData } from '../src/formats/yaml/yaml-tree.js';

const paths = readdirSync('docs').filter((name) => name.endsWith('.schema.json'));

function jsonOf(path: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>>;
}

describe.each(paths)('docs/%s', (name) => {
  it('has the relative URL of its file in the package', () => {
    expect(jsonOf(`docs/${name}`)['$id']).toBe(name);
    expect(jsonOf('package.json')['files']).toContain('docs');
  });

  it('is a schema', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    expect(ajv.validateSchema(jsonOf(`docs/${name}`))).toBe(true);
  });
});

it('the entry for lists of schemas has schemas that there are', () => {
  const { schemas } = jsonOf('docs/schema-catalog.json') as {
    readonly schemas: readonly { readonly url: string; readonly fileMatch: readonly string[] }[];
  };
  for (const { url, fileMatch } of schemas) {
    expect(paths).toContain(url);
    expect(fileMatch).toEqual([`${url.replace('.schema.json', '')}.yaml`]);
  }
});

it('a generated sno-config.yaml names its schema and conforms to it', () => {
  const text = commentedSnoConfig({ hostname: 'sno.example.com' });
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=./sno-config.schema.json');
  const isValid = new Ajv2020({ strict: false }).compile(jsonOf('docs/sno-config.schema.json'));
  const [document] = readYaml(text).documents;
  expect(isValid(document && toData(document))).toBe(true);
  expect(isValid({ hostname: 7 })).toBe(false);
});

it('docs/install.md shows that line', () => {
  expect(readFileSync('docs/install.md', 'utf8')).toContain(schemaModeline('sno-config'));
});
