import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { masterPointer, workerPointer } from '../../../src/assets/ignition/pointer.js';
import { signers } from '../../../src/assets/tls/certificates.js';
import { problemsOf } from '../../../src/core/result.js';
import { resolve } from '../../../src/graph/engine.js';
import { testContext } from '../../support/context.js';

const files = { 'install-config.yaml': readFileSync('fixtures/configs/minimal/install-config.yaml') };

describe('the pointer configs', () => {
  it('name the machine-config server, its role and the CA that signed its certificate', async () => {
    const result = await resolve([masterPointer, workerPointer, signers['root-ca']], testContext({ files }));
    if (!result.ok)
      expect.fail(
        problemsOf(result)
          .map(({ message }) => message)
          .join(),
      );
    const ca = Buffer.from(result.value.valueOf(signers['root-ca']).certPem).toString('base64');
    const pointer = (role: string): string =>
      `{"ignition":{"config":{"merge":[{"source":"https://api-int.site1.example.com:22623/config/${role}"}]},` +
      `"security":{"tls":{"certificateAuthorities":[{"source":"data:text/plain;charset=utf-8;base64,${ca}"}]}},"version":"3.2.0"}}`;
    expect(result.value.valueOf(masterPointer)).toBe(pointer('master'));
    expect(result.value.files).toEqual([{ path: 'worker.ign', contents: pointer('worker'), mode: 0o600 }]);
  });
});
