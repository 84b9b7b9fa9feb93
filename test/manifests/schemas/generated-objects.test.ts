import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readObjects } from '../../../src/manifests/edits/documents.js';
import { schemaProblems } from '../../../src/manifests/schemas/check-schemas.js';
import { inPlaceConfigAssets } from '../../../src/assets/config/config-checks.js';
import { manifests } from '../../../src/assets/manifests/manifests.js';
import { isError } from '../../../src/core/problem.js';
import { problemsOf } from '../../../src/core/result.js';
import { resolve } from '../../../src/graph/engine.js';
import { releases } from '../../../src/release/releases.js';
import { testContext } from '../../support/context.js';
import { readTree } from '../../support/read-tree.js';
import { showProblem } from '../../support/show-problem.js';

const folder = 'fixtures/configs';
const configs = readdirSync(folder).filter((name) => !name.startsWith('aio-'));

/** Every object that a config installs with a release, as its own file would be checked. */
async function problemsIn(config: string, release: string): Promise<readonly string[]> {
  const result = await resolve(
    [manifests, ...inPlaceConfigAssets],
    testContext({
      files: readTree(join(folder, config)),
      environment: { releaseImageOverride: `quay.io/openshift-release-dev/ocp-release:${release}.0-x86_64` },
    }),
  );
  // The release may not have a setting of the config, such as a capability.
  if (!result.ok)
    return problemsOf(result)
      .filter((found) => isError(found) && !found.code.startsWith('config/'))
      .map(showProblem);
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return result.value.valueOf(manifests).flatMap(({ path, text }) => {
    const read = readObjects(path, Buffer.from(text));
    if (!read.ok) return read.problems.map(showProblem);
    return schemaProblems(read.value, {
      version: { major, minor, text: release },
      isOkd: false,
      featureSet: '',
      isMerged: false,
    }).map(showProblem);
  });
}

describe.each(releases.offered.map(({ version }) => version.text))('generated objects of %s', (release) => {
  test.each(configs)('of %s fit the schemas of the release', async (config) => {
    expect(await problemsIn(config, release)).toEqual([]);
  });
});
