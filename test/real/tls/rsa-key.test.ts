import { spawnSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';

import { expect, it } from 'vitest';

import { generateEcKey } from '../../../src/formats/keys/private-key.js';
import { generateRsaKey } from '../../../src/formats/keys/rsa-key.js';
import { describeWith } from '../../support/programs.js';

describeWith(['openssl'], 'keys of ours, as openssl sees them', () => {
  it.each([2048, 3072, 4096] as const)(
    'RSA-%i passes openssl rsa -check and has its full length',
    async (bits) => {
      const pem = (await generateRsaKey(bits)).reveal();

      const { status, stdout } = spawnSync('openssl', ['rsa', '-check', '-noout'], {
        input: pem,
        encoding: 'utf8',
      });
      expect([status, stdout]).toEqual([0, 'RSA key ok\n']);
      expect(createPrivateKey(pem).asymmetricKeyDetails).toEqual({
        modulusLength: bits,
        publicExponent: 65_537n,
      });
      expect(pem).toMatch(/^-----BEGIN PRIVATE KEY-----\n[\s\S]*\n-----END PRIVATE KEY-----\n$/);
    },
  );

  it('are all different', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => generateRsaKey(2048)));

    expect(new Set(keys).size).toBe(8);
  });

  it.each(['P-256', 'P-384'] as const)('%s passes openssl ec -check', async (curve) => {
    const pem = (await generateEcKey(curve)).reveal();

    const { status, stderr } = spawnSync('openssl', ['ec', '-check', '-noout'], {
      input: pem,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, 'read EC key\nEC Key valid.\n']);
  });
});
