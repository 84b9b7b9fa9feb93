import { expect, test } from 'vitest';

import { redactedText } from '../../../src/remote/redfish/response-messages.js';

test.each([
  ['u', 'user u cannot use url', 'user … cannot use url'],
  ['adm', 'adm: admission of "adm" refused', '…: admission of "…" refused'],
  ['root', 'root/chroot', '…/ch…'],
  ['a+b', 'xa+by', 'x…y'],
])('%s is hidden in words', (hidden, words, want) => {
  expect(redactedText(words, ['', hidden])).toBe(want);
});
