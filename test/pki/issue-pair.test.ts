import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { snoConfig } from '../../src/assets/config/sno-config.js';
import { signers } from '../../src/assets/tls/certificates.js';
import { tlsNodeFiles } from '../../src/assets/tls/node-files.js';
import { generatedValues } from '../../src/run/effects/generated-values.js';
import type { ValueSource } from '../../src/graph/context.js';
import { resolve } from '../../src/graph/engine.js';
import type { NodeFile } from '../../src/ignition/types.js';
import { leafCatalog, signerCatalog } from '../../src/pki/installer-catalog.js';
import { issueLeaf } from '../../src/pki/issue-pair.js';
import { testContext } from '../support/context.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { seededRandomness } from '../support/seeded-keys.js';

describe('a leaf', () => {
  it('ends with its signer at the latest', async () => {
    const context = testContext({ files: { 'install-config.yaml': minimalInstallConfig } });
    const root = signers['root-ca'];
    const result = await resolve([snoConfig, root], context);
    if (!result.ok) throw new Error('the minimal config has problems');
    const { valueOf } = result.value;
    const notAfter = new Date('2026-03-01T00:00:00Z');

    const leaf = await issueLeaf('journal-gatewayd', leafCatalog['journal-gatewayd'], {
      signer: { ...valueOf(root), notAfter },
      names: { domain: 'site1.example.com', serviceNetwork: ['172.30.0.0/16'] },
      sno: valueOf(snoConfig),
      context,
    });

    expect(leaf.notAfter).toEqual(notAfter);
    expect(new X509Certificate(leaf.certPem).validTo).toBe('Mar  1 00:00:00 2026 GMT');
  });
});

describe('a randomized signature', () => {
  const files = {
    'install-config.yaml': minimalInstallConfig,
    'sno-config.yaml': snoConfigText('certificates: { keyAlgorithm: ECDSA-P256 }\n'),
  };

  async function nodeFiles(valueSource: ValueSource, now?: Date): Promise<readonly NodeFile[]> {
    const context = { ...testContext({ files, ...(now && { now }) }), valueSource };
    const result = await resolve([tlsNodeFiles], context);
    if (!result.ok) throw new Error('the config has problems');
    return result.value.valueOf(tlsNodeFiles);
  }

  it('is stored by its content: the same random values give the same certificates', async () => {
    const first = generatedValues({}, { source: seededRandomness });
    const files = await nodeFiles(first.valueSource);
    const kept = first.stateValues();

    const signatures = Object.keys(kept).filter((label) => /^signature\/[0-9a-f]{64}$/.test(label));
    expect(signatures).toHaveLength(Object.keys({ ...signerCatalog, ...leafCatalog }).length);
    const second = generatedValues(kept, { source: seededRandomness });
    expect(await nodeFiles(second.valueSource)).toEqual(files);
    expect(second.stateValues()).toEqual(kept);
  });

  it('is generated again for another time, from the same keys', async () => {
    const first = generatedValues({}, { source: seededRandomness });
    const before = await nodeFiles(first.valueSource);
    const second = generatedValues(first.stateValues(), { source: seededRandomness });
    const after = await nodeFiles(second.valueSource, new Date('2026-06-01T00:00:00Z'));

    const same = before.filter((file, index) => after[index]?.contents === file.contents);
    expect(same.map(({ path }) => path).toSorted()).toEqual(
      before
        .map(({ path }) => path)
        .filter((path) => /\.(key|pub)$/.test(path))
        .toSorted(),
    );
  });
});
