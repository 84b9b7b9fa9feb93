import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseSshKey } from '../../../src/formats/keys/ssh-key.js';

// Throwaway keys; their private halves were not kept.
const rsa =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDHy3qiF9mIdlUF0dXAeGaJaHan68yBSCJxe4TRjlgfgMiHaoGWQO0rrmZ4oqp/RI4oI/uUdT+HvCULkpG57lwLSg4uIGXMp7P/ay04g5EDwR6ZokM4h9gptGBFPXy8PwEpuT38YhV8q5TUzyKj8seK6bhZs6QTNwXKGKqfEN6ArThby/AsZ+9XqH/QdJ9AWWH7hp5Qw3C11uz0aVgzWPVONRF+XXriWuqiT1HAvgvJe27s3X4h+dBQIge3YmMKXwUF/FeTErGwHwJTtdwaj9ynZxuUj7nsiICeybl/OwKkdr7De5pnFU/4VgjY7aGnFy8VRUcJwz7K5aFUuEn5hnOv';
const ed25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5ialTiFcdXwCKUP4Zr7gO/zTKL/pikuBWWXvRMftkQ';
const p256 =
  'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBDRSpUjxEgcaFjGm6ew1BJouhtsu0lkAiUbDn+O+oYB/gooVDA0BwAPXppKvrp9g1KNbQ/RZZD9Z/RyVfdU5sl4=';
const p384 =
  'ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBA33hjYiEoclB7HmrS0Xz9+nnmRjrvt1zRCzXEoxT2hjPVLpEWTQD3Bg50rB1Q3xJTaXvU3xVaIDK7gUl5+/4Njd7zjRRVAvYfvuecIrA1Bn4GxePSNb/lOfa9vi3BmQrA==';
const p521 =
  'ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAHeu8VwduOtKXG9DgXI7P+6tuzuLKg6/2GXwcZlhbIZn5vz0eXhs1mB3p5/5XaP8WNp+mYzP1CZWTfrT3KYYk3YqgD7H2tud0di5/QoR1bNnyIbyiG6dIs9iWcPryrjPe+3PF8FdqfwZBg4TKnFpkOW3VUgcy004lEGQoxV9lyI1Qaphw==';

const [, ed25519Base64 = ''] = ed25519.split(' ');

/** An authorized_keys line whose wire format contains these fields. */
function lineOf(type: string, fields: readonly (string | Buffer)[]): string {
  const bytes = fields.map((field) => {
    const content = Buffer.from(field);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return Buffer.concat([length, content]);
  });
  return `${type} ${Buffer.concat(bytes).toString('base64')}`;
}

describe('parseSshKey reads', () => {
  test.each([
    { name: 'RSA', given: `${rsa} throwaway`, want: { type: 'ssh-rsa', comment: 'throwaway' } },
    { name: 'Ed25519', given: `${ed25519} a b`, want: { type: 'ssh-ed25519', comment: 'a b' } },
    { name: 'P-256', given: p256, want: { type: 'ecdsa-sha2-nistp256', comment: '' } },
    { name: 'P-384', given: p384, want: { type: 'ecdsa-sha2-nistp384', comment: '' } },
    { name: 'P-521', given: p521, want: { type: 'ecdsa-sha2-nistp521', comment: '' } },
    {
      name: 'a key on a security token',
      given: lineOf('sk-ssh-ed25519@openssh.com', [
        'sk-ssh-ed25519@openssh.com',
        Buffer.alloc(32, 1),
        'ssh:',
      ]),
      want: { type: 'sk-ssh-ed25519@openssh.com', comment: '' },
    },
    {
      name: 'options before the type',
      given: `no-pty,command="echo "ssh-rsa" b" ${ed25519} c`,
      want: { type: 'ssh-ed25519', comment: 'c' },
    },
    { name: 'blanks around it', given: `  ${ed25519}\t`, want: { type: 'ssh-ed25519', comment: '' } },
  ])('$name', ({ given, want }) => {
    expect(parseSshKey(given)).toEqual({ ok: true, key: want });
  });
});

describe('parseSshKey refuses', () => {
  test.each([
    { name: 'nothing', given: '', want: 'it does not start with a key type such as ssh-ed25519' },
    { name: 'a comment', given: '# mine', want: 'it does not start with a key type such as ssh-ed25519' },
    {
      name: 'a path',
      given: '~/.ssh/id_ed25519.pub',
      want: 'it does not start with a key type such as ssh-ed25519',
    },
    { name: 'a type alone', given: 'ssh-ed25519', want: 'the key itself is missing after its type' },
    {
      name: 'a private key',
      given: '-----BEGIN OPENSSH PRIVATE KEY-----',
      want: 'it is a private key; the public one ends in ".pub"',
    },
    {
      name: 'PEM',
      given: '-----BEGIN PUBLIC KEY-----',
      want: 'it is in PEM form; write one line of an authorized_keys file',
    },
    {
      name: 'a broken line',
      given: ed25519.slice(0, -3),
      want: 'the key is not whole base64; was it cut off or broken over two lines?',
    },
    { name: 'a short key', given: `ssh-ed25519 ${ed25519Base64.slice(0, -8)}`, want: 'the key is cut off' },
    {
      name: 'another type inside',
      given: `ssh-rsa ${ed25519Base64}`,
      want: 'the key inside is of another type than ssh-rsa',
    },
    {
      name: 'a field too few',
      given: lineOf('ssh-rsa', ['ssh-rsa', Buffer.from([1, 0, 1])]),
      want: 'the key inside is not a whole ssh-rsa key',
    },
    {
      name: 'a field too many',
      given: lineOf('ssh-ed25519', ['ssh-ed25519', Buffer.alloc(32), 'x']),
      want: 'the key inside is not a whole ssh-ed25519 key',
    },
    {
      name: 'another curve inside',
      given: lineOf('ecdsa-sha2-nistp256', ['ecdsa-sha2-nistp256', 'nistp384', Buffer.alloc(65, 4)]),
      want: 'the key inside is not a whole ecdsa-sha2-nistp256 key',
    },
    {
      name: 'a compressed point',
      given: lineOf('ecdsa-sha2-nistp256', ['ecdsa-sha2-nistp256', 'nistp256', Buffer.alloc(65, 2)]),
      want: 'the key inside is not a whole ecdsa-sha2-nistp256 key',
    },
  ])('$name', ({ given, want }) => {
    expect(parseSshKey(given)).toEqual({ ok: false, fault: want });
  });

  test('every key that was cut anywhere, and never repeats it', () => {
    const cut = fc
      .tuple(fc.constantFrom(rsa, ed25519, p256, p384, p521), fc.nat())
      .map(([key, at]) => key.slice(0, at % key.replace(/=+$/, '').length));
    fc.assert(
      fc.property(cut, (given) => {
        const read = parseSshKey(given);
        expect(read.ok).toBe(false);
        const secret = given.split(' ')[1] ?? '';
        expect(read.ok || secret.length < 8 || !read.fault.includes(secret)).toBe(true);
      }),
    );
  });
});
