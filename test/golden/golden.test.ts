import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { problemsOf } from '../../src/core/result.js';
import { resolve } from '../../src/graph/engine.js';
import { targets } from '../../src/targets.js';
import { testContext } from '../support/context.js';
import { differenceFrom, explode, readTree, type Tree } from '../support/explode.js';

const configs = 'fixtures/configs';

const names = readdirSync(configs, { withFileTypes: true })
  .filter((each) => each.isDirectory())
  .map(({ name }) => name);

/** Which cases each target has; every other one is kept as its difference from the base. */
const groups = [
  {
    target: 'single-node-ignition-config',
    base: 'minimal',
    cases: names.filter((name) => !name.startsWith('aio-')),
  },
  { target: 'aio-ignition', base: 'aio-minimal', cases: names.filter((name) => name.startsWith('aio-')) },
] as const;

/** What a target makes of a case, from draws that depend on their labels alone. */
async function makeTree(target: (typeof groups)[number]['target'], name: string): Promise<Tree> {
  const { roots } = await targets[target].load();
  const result = await resolve(roots, testContext({ files: readTree(join(configs, name)) }));
  if (!result.ok)
    throw new Error(
      problemsOf(result)
        .map(({ message }) => message)
        .join('; '),
    );
  return explode(result.value.files);
}

describe.each(groups)('golden trees of $target', ({ target, base, cases }) => {
  let baseTree: Tree = {};
  beforeAll(async () => {
    baseTree = await makeTree(target, base);
  });

  it.each(cases)('%s', async (name) => {
    const tree = name === base ? baseTree : differenceFrom(baseTree, await makeTree(target, name));
    const folder = join('fixtures/golden', name, target);
    if (process.env['UPDATE_GOLDEN'] !== undefined) {
      write(folder, tree);
      expect.fail(`${folder} is written anew: look at its diff, and run the tests without UPDATE_GOLDEN`);
    }
    const golden = readTree(folder);
    expect(Object.keys(tree), `${folder} has these files; UPDATE_GOLDEN=1 writes it anew`).toEqual(
      Object.keys(golden),
    );
    for (const [path, text] of Object.entries(tree)) expect.soft(text, join(folder, path)).toBe(golden[path]);
  });
});

it('are kept for the cases there are', () => {
  expect(readdirSync('fixtures/golden')).toEqual(names);
});

function write(folder: string, tree: Tree): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
