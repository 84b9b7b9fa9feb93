import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { masterPointer, workerPointer } from '../../../src/assets/ignition/pointer.js';
import { signers } from '../../../src/assets/tls/certificates.js';
import { resolveAssets } from '../../support/made-from.js';

const files = { 'install-config.yaml': readFileSync('fixtures/configs/minimal/install-config.yaml') };

describe('the pointer configs', () => {
  it('name the machine-config server, its role and the CA that signed its certificate', async () => {
    const made = await resolveAssets([masterPointer, workerPointer, signers['root-ca']], { files });
    const ca = Buffer.from(made.valueOf(signers['root-ca']).certPem).toString('base64');
    const pointer = (role: string): string =>
      `{"ignition":{"config":{"merge":[{"source":"https://api-int.site1.example.com:22623/config/${role}"}]},` +
      `"security":{"tls":{"certificateAuthorities":[{"source":"data:text/plain;charset=utf-8;base64,${ca}"}]}},"version":"3.2.0"}}`;
    expect(made.valueOf(masterPointer)).toBe(pointer('master'));
    expect(made.files).toEqual([{ path: 'worker.ign', contents: pointer('worker'), mode: 0o600 }]);
  });
});
