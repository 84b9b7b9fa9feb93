import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { versionsOf } from '../../src/control-plane/loops/loop-inputs.js';
import { renderControlPlane } from '../../src/control-plane/render-control-plane.js';
import { objectKey } from '../../src/control-plane/loops/store.js';
import type { OpenShiftRelease } from '../../src/release/openshift-release.js';
import { releases } from '../../src/release/releases.js';
import { controlPlaneInputs } from '../support/control-plane.js';

const folder = 'fixtures/releases';
const rendered = releases.offered.filter(({ offersInstaller }) => offersInstaller);

/** Objects, static pods and configuration files of a release's control plane, one line each, with the file name. */
async function linesOf(payload: OpenShiftRelease): Promise<readonly string[]> {
  const inputs = await controlPlaneInputs({ profile: 'OpenShift', payload, versions: versionsOf(payload) });
  const result = renderControlPlane(inputs);
  if (!result.ok) throw new Error(`the loops of ${payload.version.text} do not settle`);
  const { files, store } = result.value;
  const texts = files.filter(({ path }) => /\/manifests\/|\/config\.yaml$/.test(path));
  return [
    ...store.objects().map(objectKey),
    ...texts.flatMap(({ path, contents }) =>
      String(contents)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => `${path.replace('/etc/kubernetes/', '')}: ${line}`),
    ),
  ];
}

/** The lines that a release adds and removes compared with the one before, in their order. */
function changes(before: readonly string[], after: readonly string[]): readonly string[] {
  const [had, has] = [new Set(before), new Set(after)];
  return [
    ...before.filter((line) => !has.has(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !had.has(line)).map((line) => `+ ${line}`),
  ];
}

it.each(rendered.map((release, index) => ({ release, before: rendered[index - 1] })))(
  'the control plane of $release.version.text is the golden one',
  async ({ release, before }) => {
    const lines = await linesOf(release);
    const text = [...(before === undefined ? lines : changes(await linesOf(before), lines)), ''].join('\n');
    const path = join(folder, `${release.version.text}.txt`);
    if (process.env['UPDATE_GOLDEN'] !== undefined) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, text);
      expect.fail(`${path} is written anew: look at its diff, and run the tests without UPDATE_GOLDEN`);
    }
    expect(existsSync(path), `${path} is there; UPDATE_GOLDEN=1 writes it`).toBe(true);
    expect(text, path).toBe(readFileSync(path, 'utf8'));
  },
);

it('there is a golden for every release that is rendered here, and for no other', () => {
  expect(readdirSync(folder)).toEqual(rendered.map(({ version }) => `${version.text}.txt`));
});
