import { expect, it } from 'vitest';

import { fuzzTarget, type FuzzOrder } from './driver/fuzz-target.js';
import type { Finding, Target } from './driver/target.js';

const order: FuzzOrder = { seconds: 60, maxInputs: 3000, seed: 1, judges: new Map() };
const sound: Target = {
  name: 'sound',
  form: 'json',
  seeds: () => ['{"port": 6443, "password": "a canary of tests", "names": ["a", "b"]}'],
  canaries: [{ whole: '"password": "a canary of tests"', part: 'a canary of tests' }],
  run: () => ({ isAccepted: true, shown: 'nothing of it' }),
};

/** Runs a target and returns its inputs and findings. */
async function run(
  change: Partial<Target>,
  judges: FuzzOrder['judges'] = new Map(),
): Promise<{ readonly inputs: readonly string[]; readonly kinds: readonly string[] }> {
  const inputs: string[] = [];
  const found: Finding[] = [];
  const watch = {
    onInput: (input: Buffer) => inputs.push(input.toString('latin1')),
    onFinding: (finding: Finding) => found.push(finding),
    onNew: () => undefined,
  };
  const figures = await fuzzTarget({ ...sound, ...change }, { ...order, judges }, watch);
  expect(figures.inputs).toBe(order.maxInputs);
  return { inputs, kinds: [...new Set(found.map(({ kind }) => kind))] };
}

it('gives the same inputs for the same seed, many of them different', async () => {
  const [first, second] = [await run({}), await run({})];
  expect(second).toEqual(first);
  expect(first.kinds).toEqual([]);
  expect(new Set(first.inputs).size).toBeGreaterThan(order.maxInputs / 3);
});

it.each([
  {
    name: 'what is thrown',
    kind: 'thrown',
    run: (input: Buffer) => {
      if (input.includes('__proto__')) throw new Error('internal error: a name of every object');
      return { isAccepted: false, shown: '' };
    },
  },
  {
    name: 'a secret that is shown',
    kind: 'secret',
    run: (input: Buffer) => ({ isAccepted: false, shown: input.includes('port') ? '' : input.toString() }),
  },
  {
    name: 'a promise that does not hold',
    kind: 'promise',
    run: (input: Buffer) => ({
      isAccepted: true,
      shown: '',
      fault: input.includes('\u0000') ? 'a NUL' : undefined,
    }),
  },
])('finds $name', async ({ kind, run: reader }) => {
  expect((await run({ run: reader })).kinds).toEqual([kind]);
});

it('reports inputs that a real program rejects, and ignores truncated secrets', async () => {
  const judges = new Map([
    ['go-yaml', (texts: readonly string[]) => texts.map((text) => text.slice(0, 1))] as const,
  ]);
  const outputs = {
    isAccepted: true,
    shown: 'a canary of',
    outputs: () => [{ judge: 'go-yaml', text: 'x' }] as const,
  };
  expect((await run({ run: () => outputs }, judges)).kinds).toEqual(['refused']);
});
