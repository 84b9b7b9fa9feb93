import fc from 'fast-check';
import { expect, test } from 'vitest';

import { markup } from '../../../src/serve/page/markup.js';

/** The text that a browser reads from element content or an attribute. */
function unescaped(text: string): string {
  const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity as keyof typeof entities]);
}

test('a text never ends an element or an attribute, and is read as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from(`<>&"'=/ ax;#39amplt`)) }), (text) => {
      const { html: written } = markup`${text}`;
      expect(written).not.toMatch(/[<>"']/);
      expect(unescaped(written)).toBe(text);
    }),
  );
});

test('keeps nested HTML, alone and in a list, and omits missing values', () => {
  const items = ['a', '<b>'].map((each) => markup`<li>${each}</li>`);
  expect(markup`<ul class="${'"'}">${items}${undefined}${3}${markup`<hr>`}</ul>`).toEqual({
    html: '<ul class="&quot;"><li>a</li><li>&lt;b&gt;</li>3<hr></ul>',
  });
});
