import { describe, expect, it } from 'vitest';

import { hasPlaceholder, placeholderHint } from '../../src/config/placeholder.js';

describe('a value that is still to be filled in', () => {
  it.each([
    ['{{ domain }}', 'fill in the template: "{{ … }}" is still there'],
    ['registry.{{ domain }}/mirror', 'fill in the template: "{{ … }}" is still there'],
    ['${BASE_DOMAIN}', 'fill in the template: "${…}" is still there'],
    ['registry.${site.domain}/mirror', 'fill in the template: "${…}" is still there'],
    ['<the public key goes here>', 'fill it in'],
    ['/dev/disk/by-id/<disk_id>', 'fill it in: "<…>" is still there'],
    ['api.<domain>', 'fill it in: "<…>" is still there'],
    ['BASE_DOMAIN', 'replace it, if it is a placeholder'],
    ['\nPULL_SECRET\n', 'replace it, if it is a placeholder'],
    ['changeme', 'fill it in'],
    ['REPLACE-ME', 'fill it in'],
  ])('%j', (text, hint) => {
    expect(placeholderHint(text)).toBe(hint);
  });
});

describe('accepts a filled value', () => {
  it.each([
    '',
    'example.com',
    'EXAMPLE',
    'a<b>',
    'Base_Domain',
    'BASE__DOMAIN',
    'SITE_1',
    'A_B',
    '_BASE_DOMAIN',
    'do not change me',
    'pa${}ss',
    'pa${1}ss',
    '{"auths":{}}',
  ])('%j', (text) => {
    expect(placeholderHint(text)).toBeUndefined();
  });
});

it.each(
  [
    ...[
      'console=<tty>',
      'api.<domain>',
      'nameserver=<dns 1>',
      'https://<host>/path',
      '<disk>',
      'rd.znet=<a>,<b>',
    ],
  ]
    .map((text) => ({ text, want: true }))
    .concat(
      [
        'ssh-ed25519 AAAA joe <joe@example.com>',
        'a < b > c',
        '#!/bin/sh\ncat =<file>\n',
        'console=ttyS0',
        'Tom <Tom>',
      ].map((text) => ({ text, want: false })),
    ),
)('a placeholder inside of a text: $text', ({ text, want }) => {
  expect(hasPlaceholder(text)).toBe(want);
});
