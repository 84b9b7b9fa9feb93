import { describe, expect, test } from 'vitest';

import { aioRelease } from '../../src/assets/aio/aio-release.js';
import { authority } from '../../src/assets/config/authority.js';
import { bootstrapInPlace } from '../../src/assets/config/bootstrap-in-place.js';
import { controlPlaneRender } from '../../src/assets/config/control-plane-render.js';
import { imageReferences } from '../../src/assets/config/image-references.js';
import { installConfig } from '../../src/assets/config/install-config.js';
import { release } from '../../src/assets/config/release.js';
import { snoConfig } from '../../src/assets/config/sno-config.js';
import { userManifests } from '../../src/assets/manifests/user-manifests.js';
import type { Problem } from '../../src/core/problem.js';
import { renderProblem } from '../../src/core/render-problem.js';
import { problemsOf } from '../../src/core/result.js';
import { printableFields } from '../../src/config/schema/printable-fields.js';
import { resolve } from '../../src/graph/engine.js';
import { testContext } from '../support/context.js';
import { secretInputs, type SecretInput } from '../support/secret-inputs.js';

/** The assets that read user files, of both targets. */
const readers = [
  authority,
  installConfig,
  snoConfig,
  bootstrapInPlace,
  controlPlaneRender,
  release,
  imageReferences,
  userManifests,
  aioRelease,
];

/** The output of a command for the problems of these assets, with each value of `--output`. */
async function textsOf({ files, variables, stdin }: SecretInput): Promise<string> {
  const given = { files, ...(variables && { variables }), ...(stdin !== undefined && { stdin }) };
  const result = await resolve(readers, testContext(given));
  const problems: readonly Problem[] = problemsOf(result);
  const texts = problems.map((found) => {
    const text = files[found.at?.file ?? ''];
    return renderProblem(found, text === undefined ? undefined : { text, fields: printableFields });
  });
  return [...texts, JSON.stringify(problems)].join('\n');
}

async function leaksOf(inputs: readonly SecretInput[]): Promise<readonly string[]> {
  const leaks: string[] = [];
  for (const input of inputs) {
    const shown = await textsOf(input);
    const canary = input.canaries.find((each) => shown.includes(each));
    if (canary !== undefined) leaks.push(`${input.name}: ${shown}`);
  }
  return leaks;
}

describe('prints no secret of an input', () => {
  test.each([
    { place: 'in the field, in every form', least: 300 },
    { place: 'in the settings of a proxy', least: 300 },
    { place: 'in any field of both configs', least: 400 },
    { place: 'in a config on one line', least: 14 },
    { place: 'in a manifest', least: 140 },
    { place: 'behind a reference', least: 500 },
  ] as const)('$place', async ({ place, least }) => {
    const inputs: readonly SecretInput[] = secretInputs[place];
    expect(inputs.length).toBeGreaterThanOrEqual(least);
    for (const { name, files, variables = {}, stdin = '', canaries } of inputs) {
      const texts = [...Object.values(files), ...Object.values(variables), stdin].join('\n');
      expect([name, canaries.some((canary) => texts.includes(canary))]).toEqual([name, true]);
    }
    expect(await leaksOf(inputs)).toEqual([]);
  });
});
