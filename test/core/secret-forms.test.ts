import { describe, expect, test } from 'vitest';

import {
  authSecretPattern,
  clearKeyPattern,
  mayBeSecret,
  mayBeSecretArgument,
  namesSecret,
  urlPasswordPattern,
  redactSecrets,
} from '../../src/core/secrets.js';
import { secretLines } from '../support/secret-lines.js';

const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJub2RlIn0.c2lnbmF0dXJl';

describe('withoutSecrets', () => {
  test.each(secretLines)('of the corpus: $name', ({ line, secret }) => {
    expect(redactSecrets(line)).not.toContain(secret);
  });

  test.each([
    ['a -----BEGIN PRIVATE KEY----- MIIE b', 'a [redacted private key]'],
    ['-----BEGIN%20EC%20PRIVATE%20KEY-----%0AMHc', '[redacted private key]'],
    ['-----BEGIN PGP PRIVATE KEY BLOCK----- x', '[redacted private key]'],
    ['-----BEGIN CERTIFICATE-----', '-----BEGIN CERTIFICATE-----'],
    ['id AGE-SECRET-KEY-1QQQQQQQQ end', 'id [redacted identity] end'],
    ['id age-secret-key-pq-1QQQQQQQQ end', 'id [redacted identity] end'],
    ['AGE-SECRET-KEY-1QQQQQQQ', 'AGE-SECRET-KEY-1QQQQQQQ'],
    [`x ${token} y`, 'x [redacted token] y'],
    [`-${token}`, `-${token}`],
    ['sha256~abcdefgh-_ x', '[redacted token] x'],
    ['sha256~abcdefg', 'sha256~abcdefg'],
    ['asha256~abcdefgh', 'asha256~abcdefgh'],
    ['{"password": "old oak", "user": "u"}', '{"password": "[redacted]", "user": "u"}'],
    ["{'Token':'oak'}", "{'Token':'[redacted]'}"],
    [String.raw`{\"auth\" : \"oak\"}`, String.raw`{\"auth\" : \"[redacted]\"}`],
    ['{"passwords": "oak"}', '{"passwords": "oak"}'],
    ['password: oak tree', 'password: [redacted] tree'],
    ['  client-key-data:   "oak"', '  client-key-data:   "[redacted]'],
    ['my-password: oak', 'my-password: oak'],
    ['token: [a, b]', 'token: [a, b]'],
    ['--registry-token=oak&x=1', '--registry-token=[redacted]&x=1'],
    ['PASSWORD="oak" x', 'PASSWORD="[redacted]" x'],
    ['token=', 'token='],
    ['Authorization: Bearer abcdefgh x', 'Authorization: Bearer [redacted] x'],
    ['basic abcdefg=', 'basic [redacted]'],
    ['Basic abcdefg', 'Basic abcdefg'],
    ['get https://user:oak@example.com/a', 'get https://[redacted]@example.com/a'],
    ['https://example.com/a@b', 'https://example.com/a@b'],
  ])('makes of %j %j', (text, want) => {
    expect(redactSecrets(text)).toBe(want);
  });

  test('keeps only values with a listed prefix', () => {
    const text = 'token: [redacted-x password: oak {"token": "keep-1"} {"token": "oak"}';
    expect(redactSecrets(text, 'keep')).toBe(
      'token: [redacted-x password: [redacted] {"token": "keep-1"} {"token": "[redacted]"}',
    );
  });
});

test.each([
  ['password', true],
  ['registryToken', true],
  ['pass', true],
  ['bmcPass', true],
  ['bmc_pwd', true],
  ['pin', true],
  ['apiKey', true],
  ['access-key', true],
  ['pass phrase', true],
  ['passphrase', true],
  ['hostname', false],
  ['spin', false],
  ['mapping', false],
  ['compass', false],
  ['node', false],
])('that %j names a secret: %j', (name, want) => {
  expect(namesSecret(name)).toBe(want);
});

test.each([
  ['{"auths":{}}', true],
  [String.raw`\"auth\"`, true],
  ['my PRIVATE thing', true],
  ['-----BEGIN RSA', true],
  ['-----BEGIN CERTIFICATE-----', false],
  ['user@host', true],
  ['quay.io/a@sha256:00', false],
  ['https://user:word', true],
  ['https://example.com:5000', false],
  ['Abcdefghij0123456789', true],
  ['Abcdefghij012345678', false],
  ['abcdefghij0123456789', false],
  ['ABCDEFGHIJ0123456789', false],
  ['AbcdefghijAbcdefghij', false],
  ['AbcdefghijAbcdefghi=', true],
  ['ConfigurablePKI=true', false],
  ['OperatorLifecycleManagerV1', false],
  ['OperatorLifecycleManager123', true],
  ['ConfigurablePKI=trueAb', true],
  ['password: oak', true],
  ['example.com', false],
])('that %j may be a secret: %j', (text, want) => {
  expect(mayBeSecret(text)).toBe(want);
});

test('checks each part of a path separately', () => {
  const path = '/home/Abcdefghij/0123456789/site';
  expect(mayBeSecret(path)).toBe(true);
  expect(mayBeSecretArgument(path)).toBe(false);
  expect(mayBeSecretArgument('sites/Abcdefghij0123456789')).toBe(true);
  expect(mayBeSecretArgument('user:oak@host')).toBe(true);
  expect(mayBeSecretArgument('--token=oak')).toBe(true);
});

test.each([
  [clearKeyPattern, '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq', true],
  [clearKeyPattern, '-----BEGIN%20EC%20PRIVATE%20KEY-----%0AMIIEvQIBADANBgkq', true],
  [clearKeyPattern, String.raw`-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq`, true],
  [clearKeyPattern, '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgk', false],
  [clearKeyPattern, 'grep -e "-----BEGIN PRIVATE KEY-----" file', false],
  [authSecretPattern, '{"auths": {"a": {"auth": "x"}}}', true],
  [authSecretPattern, String.raw`{\"auths\":{\"a\":\n{\"auth\":\"x\"}}}`, true],
  [authSecretPattern, '{"auths": {}}', false],
  [urlPasswordPattern, 'http://user:oak@proxy', true],
  [urlPasswordPattern, 'http://user@proxy', false],
  [urlPasswordPattern, 'http://proxy:3128/a@b', false],
  [urlPasswordPattern, 'http://${user}:${word}@proxy', false],
])('%s finds in %j a secret: %j', (pattern, text, want) => {
  expect(pattern.test(text)).toBe(want);
});
