import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

import { expect, it } from 'vitest';

import { generateEcKey } from '../../../src/formats/keys/ec-key.js';

it.each(['P-256', 'P-384'] as const)('a key of %s is written in the bytes of OpenSSL', async (curve) => {
  // Enough of them that numbers begin with a byte of zeros.
  const pems = await Promise.all(
    Array.from({ length: curve === 'P-256' ? 1500 : 3 }, () => generateEcKey(curve)),
  );

  const byOpenSsl = pems.map((pem) => createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }));
  expect(pems).toEqual(byOpenSsl);
  expect(new Set(pems).size).toBe(pems.length);
});

it('a key of P-256 verifies what it signs', async () => {
  const key = createPrivateKey(await generateEcKey('P-256'));
  const message = Buffer.from('what is signed');

  expect(verify('sha256', message, createPublicKey(key), sign('sha256', message, key))).toBe(true);
});
