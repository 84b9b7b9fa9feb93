import { expect, test } from 'vitest';

import { connectionFailure, ProxyError } from '../../../src/remote/http/faults.js';

const systemError = (code: string): Error => Object.assign(new Error('quotes the server'), { code });
const refused = {
  code: 'ECONNREFUSED',
  words: 'connection refused',
  isOfProxy: false,
  isCertificate: false,
  isPermanent: false,
};
const expired = {
  ...refused,
  code: 'CERT_HAS_EXPIRED',
  words: 'certificate has expired',
  isCertificate: true,
  isPermanent: true,
};

test.each([
  { name: 'a refused connection', given: systemError('ECONNREFUSED'), want: refused },
  {
    name: 'a wrong host name',
    given: systemError('ENOTFOUND'),
    want: { ...refused, code: 'ENOTFOUND', words: 'host name does not resolve', isPermanent: true },
  },
  { name: 'an expired certificate', given: systemError('CERT_HAS_EXPIRED'), want: expired },
  { name: 'an unknown code', given: systemError('EX'), want: { ...refused, code: 'EX', words: undefined } },
  { name: 'no code', given: new Error('quotes'), want: { ...refused, code: '', words: undefined } },
  {
    name: 'an unreachable proxy',
    given: new ProxyError(undefined, { cause: systemError('ECONNREFUSED') }),
    want: { ...refused, isOfProxy: true },
  },
  {
    name: 'a proxy with an expired certificate',
    given: new ProxyError(undefined, { cause: systemError('CERT_HAS_EXPIRED') }),
    want: { ...expired, isOfProxy: true },
  },
  {
    name: 'a proxy that rejects the credentials',
    given: new ProxyError('invalid credentials'),
    want: { ...refused, code: '', words: 'invalid credentials', isOfProxy: true, isPermanent: true },
  },
])('$name is described', ({ given, want }) => {
  expect(connectionFailure(given)).toEqual(want);
});
