import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import type { OutputFile } from '../../src/core/output-file.js';
import { cachedInputs } from '../../src/disk/read-inputs.js';
import { templatesFrom } from '../../src/disk/program-files/templates.js';
import { goldenOutputs } from '../../src/run/dry-run-outputs.js';
import { validateIgnition } from '../../src/ignition/foreign/validate-ignition.js';
import { outputTree, knownTemplates } from '../../src/review/output-tree.js';
import type { Tree } from '../../src/review/review-tree.js';
import { ignitionConfigsIn } from '../support/ignition-configs.js';
import { readTree } from '../support/read-tree.js';
import { expectOk } from '../support/sound-value.js';
import { differenceFrom } from './difference.js';
import { goldenConfigs, goldenGroups, goldenNames } from './golden-cases.js';

const templates = knownTemplates(templatesFrom('templates'));

type GoldenTarget = (typeof goldenGroups)[number]['target'];

/** Outputs of `golden` with placeholder keys, cached by target and case. */
const made = new Map<string, Promise<readonly OutputFile[]>>();

async function filesOf(target: GoldenTarget, name: string): Promise<readonly OutputFile[]> {
  const key = `${target} ${name}`;
  const files = made.get(key) ?? makeFiles(target, name);
  made.set(key, files);
  return files;
}

async function makeFiles(target: GoldenTarget, name: string): Promise<readonly OutputFile[]> {
  const inputs = cachedInputs(join(goldenConfigs, name), {});
  return expectOk(await goldenOutputs({ target, inputs, templates: templatesFrom('templates') }));
}

async function makeTree(target: GoldenTarget, name: string): Promise<Tree> {
  return outputTree(await filesOf(target, name), templates);
}

describe.each(goldenGroups)('golden trees of $target', ({ target, base, cases }) => {
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

  it.each(cases)('every Ignition config in %s passes the judge of those that others write', async (name) => {
    const configs = ignitionConfigsIn(await filesOf(target, name));
    expect(configs.length).toBeGreaterThan(target === 'aio-ignition' ? 0 : 3);
    expect(
      configs.flatMap(({ place, config }) =>
        validateIgnition(config, 2).map((fault) => ({ place, ...fault })),
      ),
    ).toEqual([]);
  });
});

it('are kept for the cases there are', () => {
  expect(readdirSync('fixtures/golden')).toEqual(goldenNames);
});

function write(folder: string, tree: Tree): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
