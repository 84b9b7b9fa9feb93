import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { cachedInputs } from '../../src/disk/read-inputs.js';
import { otherEntries } from '../../src/import/resources/other-entries.js';
import { scratchFolder } from '../support/scratch.js';

test('names the entries of a folder that are not read, and no documents or contents', () => {
  const dir = scratchFolder();
  const files = [
    ...['site.yaml', 'kustomization.yaml', 'Kustomization', 'sub/a.yml', '.hidden', 'README.md', 'OWNERS'],
    ...['sub/object.tmpl', 'site2.yaml.j2', 'extra/script.conf', 'config.toml'],
  ];
  for (const file of files) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), '{}\n');
  }
  symlinkSync('absent', join(dir, 'site3'));
  const isContent = (path: string): boolean => path.startsWith('extra/') || path === 'config.toml';

  const found = otherEntries(cachedInputs(dir, {}), '.', isContent);
  expect(found.map(({ at, message }) => `${at?.file ?? ''}: ${message}`)).toEqual([
    'site2.yaml.j2: this file is not YAML and is not imported',
    'site3: this entry is neither a readable file nor a folder, and is not imported',
    'sub/object.tmpl: this file is not YAML and is not imported',
  ]);
});
