import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { OutputFile } from '../../src/core/output-file.js';
import { templatesFrom } from '../../src/disk/program-files/templates.js';
import { cachedInputs } from '../../src/disk/read-inputs.js';
import { emptyState } from '../../src/disk/state/state-file.js';
import { generatedValues } from '../../src/run/effects/generated-values.js';
import { environmentInputs } from '../../src/disk/environment.js';
import { sha256 } from '../../src/formats/sha256.js';
import { makeTarget } from '../../src/run/make-target.js';
import { goldenOutputs } from '../../src/run/dry-run-outputs.js';
import { testNow } from '../support/context.js';
import { checkWithForge, type ForgeReport } from '../support/forge-judge.js';
import { pemBlocksIn } from '../support/pem-blocks.js';
import { readTree } from '../support/read-tree.js';
import { seededRandomness } from '../support/seeded-keys.js';
import { expectOk } from '../support/sound-value.js';
import { goldenConfigs, goldenGroups } from './golden-cases.js';

type Target = (typeof goldenGroups)[number]['target'];

const templates = templatesFrom('templates');
const cases = goldenGroups.flatMap(({ target, base, cases: names }) =>
  names.map((name) => ({ target, base, name })),
);

function judge(files: readonly OutputFile[]): ForgeReport {
  return checkWithForge(
    files.flatMap(({ path, contents }) => pemBlocksIn(path, contents)),
    testNow,
  );
}

/** The outputs with working keys, each derived from its label. */
async function createdOutputs(target: Target, name: string): Promise<readonly OutputFile[]> {
  const start = {
    state: emptyState,
    source: 'no state',
    isFile: false,
    clock: { now: testNow, generatedValues: {} },
    given: environmentInputs({}, {}),
    inputs: cachedInputs(join(goldenConfigs, name), {}),
  };
  const made = await makeTarget({ target, templates }, start, () =>
    generatedValues({}, { source: seededRandomness }),
  );
  return expectOk(made).resolved.files;
}

/** The texts of a golden, including those of its base. */
function goldenTexts(
  target: Target,
  { base, name }: { readonly base: string; readonly name: string },
): string {
  const folder = (each: string): string => join('fixtures/golden', each, target);
  const own = readTree(folder(name));
  const excluded = (own['not-in-this-case.txt'] ?? '').split('\n');
  const inherited = Object.entries(readTree(folder(base))).filter(([path]) => !excluded.includes(path));
  return Object.values({ ...Object.fromEntries(inherited), ...own }).join('\n');
}

/** The first digits of the SHA-256 of public keys, as trees show them. */
function fingerprints(text: string): ReadonlySet<string> {
  return new Set(
    Array.from(text.matchAll(/\b(?:rsa-\d+|ec-\w+) ([0-9a-f]{8})\b/g), ([, digits = '']) => digits),
  );
}

describe('outputs of create: RSA values are what node-forge encodes, and their chains verify; of ECDSA only the ASN.1 is checked', () => {
  it.each(cases)('$name', async ({ target, name }) => {
    const { faults, counts } = judge(await createdOutputs(target, name));

    expect(faults).toEqual([]);
    expect(Object.keys(counts)).toContain('private key, RSA');
  });
});

describe('goldens: placeholder keys and their certificates are what node-forge encodes; they have no signatures to verify', () => {
  it.each(cases)('$name', async ({ target, base, name }) => {
    const inputs = cachedInputs(join(goldenConfigs, name), {});
    const { faults, publicKeys } = judge(expectOk(await goldenOutputs({ target, inputs, templates })));

    expect(faults).toEqual([]);
    // A golden shows each key by its fingerprint. All of them must be among the decoded keys.
    const shown = fingerprints(goldenTexts(target, { base, name }));
    expect(shown.size).toBeGreaterThan(0);
    const decoded = new Set(publicKeys.map((der) => sha256(der).slice(0, 8)));
    expect([...shown].filter((each) => !decoded.has(each))).toEqual([]);
  });
});
