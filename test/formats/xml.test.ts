import { expect, test } from 'vitest';

import { element, textElement, xmlText } from '../../src/formats/xml.js';

test('writes elements with escaped texts, and leaves out what is undefined', () => {
  const root = element(
    'a',
    { one: "<&'>", two: undefined, three: 3 },
    textElement('b', '1 < 2', { unit: 'GiB' }),
    undefined,
    element('c', {}, element('d', {})),
  );
  expect(xmlText(root)).toBe(
    [
      "<a one='&lt;&amp;&apos;&gt;' three='3'>",
      "  <b unit='GiB'>1 &lt; 2</b>",
      '  <c>',
      '    <d/>',
      '  </c>',
      '</a>',
      '',
    ].join('\n'),
  );
});
