import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { templatesFrom } from '../../src/disk/own/templates.js';
import { templateText } from '../../src/graph/template-text.js';

test('a text of the program is what its file has', () => {
  const path = 'report/node-files.list';
  expect(templateText(templatesFrom('templates'), path)).toBe(readFileSync(`templates/${path}`, 'utf8'));
});
