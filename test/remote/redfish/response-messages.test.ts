import { expect, test } from 'vitest';

import { responseFault } from '../../../src/remote/redfish/response-fault.js';
import { redactedText } from '../../../src/remote/redfish/response-messages.js';

test.each([
  ['u', 'user u cannot use url', 'user … cannot use url'],
  ['adm', 'adm: admission of "adm" refused', '…: admission of "…" refused'],
  ['root', 'root/chroot', '…/ch…'],
  ['a+b', 'xa+by', 'x…y'],
])('%s is hidden in words', (hidden, words, want) => {
  expect(redactedText(words, ['', hidden])).toBe(want);
});

const message = {
  MessageId: 'Oem.1.0.SYS1',
  Message: 'cannot fetch https://m.example/3f9c2b7e1a5d4c60/x.iso as root',
};
const shown = 'cannot fetch … as …';
const key = '@Message.ExtendedInfo';
test.each([
  ['a list in an error', 400, { error: { [key]: [message] } }, `request failed (HTTP 400, SYS1): ${shown}`],
  ['an object in an error', 400, { error: { [key]: message } }, `request failed (HTTP 400, SYS1): ${shown}`],
  ['an annotation', 400, { [`Image${key}`]: [message] }, `request failed (HTTP 400, SYS1): ${shown}`],
  [
    'an annotation of a property of an object',
    400,
    { Boot: { [`BootSourceOverrideTarget${key}`]: [message] } },
    `request failed (HTTP 400, SYS1): ${shown}`,
  ],
  [
    'two messages, without the general one',
    500,
    {
      error: {
        code: 'Base.1.0.GeneralError',
        message: 'A general error has occurred.',
        [key]: [message, { MessageId: 'Oem.1.0.SYS2', Message: 'try later' }],
      },
    },
    `request failed (HTTP 500, SYS1, SYS2): ${shown} try later`,
  ],
  [
    'only the general one',
    400,
    { error: { code: 'Base.1.0.GeneralError', message: 'the slot of root is locked' } },
    'request failed (HTTP 400, GeneralError): the slot of … is locked',
  ],
  [
    'a refused permission',
    403,
    { error: { [key]: [message] } },
    `permission denied: request failed (HTTP 403, SYS1): ${shown}`,
  ],
  ['a refused login', 401, { error: { [key]: [message] } }, `invalid user name or password: ${shown}`],
  ['nothing', 401, {}, 'invalid user name or password'],
] as const)('the message of the BMC is shown without secrets: %s', (_name, status, data, want) => {
  const hidden = ['https://m.example/3f9c2b7e1a5d4c60/x.iso', 'root'];
  expect(responseFault({ status, headers: {}, data, bytes: 0 }, hidden).message).toBe(want);
});
