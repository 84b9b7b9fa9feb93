import { describe, expect, it } from 'vitest';

import { secretFile } from '../../../src/core/output-file.js';
import { recordInputs } from '../../../src/disk/state/recorded-inputs.js';
import { keyedHash } from '../../../src/disk/receipt/keyed-hash.js';
import { receiptOf, type ReceiptRun } from '../../../src/disk/receipt/receipt-of-run.js';
import type { targetAssets } from '../../../src/run/target-assets.js';
import type { IgnitionAssets } from '../../../src/run/target.js';
import { testContext, testNow } from '../../support/context.js';

const config = 'a config with a private key';
const pin = 'kind: Secret\nstringData: {pin: "1234"}\n';

/** A run of a target that writes no kubeconfig. */
function runWith(parts: Pick<ReceiptRun, 'outputs' | 'plain'>): ReceiptRun {
  const { inputs } = testContext({ files: { 'openshift/pin.yaml': pin } });
  const recorded = recordInputs(inputs);
  recorded.inputs.read('openshift/pin.yaml');
  return {
    target: 'aio-ignition',
    receiptKey: 'node.ign',
    cluster: { name: 'edge', baseDomain: 'example.com' },
    issued: testNow,
    environment: {},
    inputs,
    inputRecord: recorded.record(),
    ...parts,
  };
}

function inputsIn(run: ReceiptRun): unknown {
  const { contents } = receiptOf(run);
  const { inputs } = JSON.parse(Buffer.from(contents).toString('utf8')) as { readonly inputs: unknown };
  return inputs;
}

describe('the receipt of a target without a kubeconfig', () => {
  const hmacSha256 = keyedHash(Buffer.from(config), Buffer.from(pin));
  const input = { path: 'openshift/pin.yaml', bytes: pin.length, hmacSha256 };

  it('keys hashes with the output that the target names', () => {
    const run = runWith({ outputs: [secretFile('node.ign', config)], plain: new Map() });
    expect(inputsIn(run)).toEqual([{ ...input, keyedBy: 'node.ign' }]);
  });

  it('keys them with the plain contents of an encrypted output', () => {
    const run = runWith({
      outputs: [secretFile('node.ign.age', 'encrypted')],
      plain: new Map([['node.ign', config]]),
    });
    expect(inputsIn(run)).toEqual([{ ...input, keyedBy: 'node.ign.age' }]);
  });

  it('is an error of the program if the target does not write that output', () => {
    const run = runWith({ outputs: [], plain: new Map() });
    expect(() => receiptOf(run)).toThrow('internal error: aio-ignition does not write its receiptKey');
  });

  it('does not compile if the target names no output', () => {
    type Assets = (typeof targetAssets)['aio-ignition'];
    const { configs, checks, roots } = { configs: [], checks: [], roots: [] };
    // @ts-expect-error -- receiptKey is missing
    const unnamed: Assets = { configs, checks, roots };
    const named: IgnitionAssets = { ...unnamed, receiptKey: 'node.ign' };
    expect(named.receiptKey).toBe('node.ign');
  });
});
