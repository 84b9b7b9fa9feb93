import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { authorizedKey } from '../../../src/formats/keys/openssh.js';
import {
  generateEcKey,
  privateKeyOf,
  publicKeyPem,
  type PrivateKey,
} from '../../../src/formats/keys/private-key.js';
import { generateRsaKey } from '../../../src/formats/keys/rsa-key.js';
import type { KeyPem } from '../../../src/formats/keys/key-pem.js';
import {
  readKeyPlaceholder,
  placeholderEcKey,
  placeholderRsaKey,
} from '../../../src/formats/keys/placeholder-key.js';

const kinds: readonly {
  readonly name: string;
  /** Key type as in node:crypto. */
  readonly kind: string;
  readonly placeholder: PrivateKey;
  readonly draw: () => Promise<KeyPem>;
}[] = [
  {
    name: 'RSA-2048',
    kind: 'rsa-2048',
    placeholder: placeholderRsaKey('a', 2048),
    draw: () => generateRsaKey(2048),
  },
  {
    name: 'RSA-3072',
    kind: 'rsa-3072',
    placeholder: placeholderRsaKey('a', 3072),
    draw: () => generateRsaKey(3072),
  },
  {
    name: 'P-256',
    kind: 'ec-prime256v1',
    placeholder: placeholderEcKey('a', 'P-256'),
    draw: () => generateEcKey('P-256'),
  },
  {
    name: 'P-384',
    kind: 'ec-secp384r1',
    placeholder: placeholderEcKey('a', 'P-384'),
    draw: () => generateEcKey('P-384'),
  },
];

/** Length in characters or bytes of every encoding of a key. */
async function lengthsOf(key: PrivateKey): Promise<Readonly<Record<string, number>>> {
  return {
    pem: key.pem.reveal().length,
    publicPem: publicKeyPem(key).length,
    ssh: authorizedKey(key).length,
    signature: (await key.sign(Buffer.from('text'))).length,
  };
}

describe('a placeholder key', () => {
  it.each(kinds)(
    'is as long as a real one, a few bytes more at most: $name',
    async ({ placeholder, draw }) => {
      const long = await lengthsOf(placeholder);
      for (let round = 0; round < 4; round += 1) {
        const real = await lengthsOf(privateKeyOf((await draw()).reveal()));
        for (const [what, length] of Object.entries(real)) {
          expect((long[what] ?? 0) - length, what).toBeGreaterThanOrEqual(0);
          expect((long[what] ?? 0) - length, what).toBeLessThanOrEqual(8);
        }
      }
    },
  );

  it.each(kinds)('is rejected by OpenSSL: $name', ({ placeholder }) => {
    expect(() => createPrivateKey(placeholder.pem.reveal())).toThrow();
    expect(() => createPublicKey(publicKeyPem(placeholder))).toThrow();
  });

  it.each([...kinds, { name: 'RSA-4096', kind: 'rsa-4096', placeholder: placeholderRsaKey('a', 4096) }])(
    'is recognised by either half: $name',
    ({ kind, placeholder }) => {
      const derOf = (pem: string): Buffer => Buffer.from(pem.replaceAll(/-----[^-]+-----/g, ''), 'base64');
      const want = { kind, publicDer: placeholder.publicDer };
      expect(readKeyPlaceholder('PRIVATE KEY', derOf(placeholder.pem.reveal()))).toEqual(want);
      expect(readKeyPlaceholder('PUBLIC KEY', placeholder.publicDer)).toEqual(want);
    },
  );

  it('hangs on its label alone', async () => {
    const [first, second] = [placeholderRsaKey('a', 2048), placeholderRsaKey('a', 2048)];
    const text = Buffer.from('text');

    expect([first.pem.reveal(), first.publicDer]).toEqual([second.pem.reveal(), second.publicDer]);
    expect(await first.sign(text)).toEqual(await second.sign(text));
    expect(placeholderRsaKey('b', 2048).pem.reveal()).not.toBe(first.pem.reveal());
  });
});
