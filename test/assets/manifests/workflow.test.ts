import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { templatesFrom } from '../../../src/disk/program-files/templates.js';
import { problemsOf } from '../../../src/core/result.js';
import { run } from '../../../src/run/run.js';
import { testNow } from '../../support/context.js';
import { scratchFolder } from '../../support/scratch.js';
import { showProblem } from '../../support/show-problem.js';
import { installConfigText } from './generate.js';

/** Runs `create manifests` in a directory and returns problems and file changes. */
async function createManifests(
  dir: string,
): Promise<{ problems: readonly string[]; changes: readonly string[] }> {
  const result = await run({
    dir,
    target: 'manifests',
    command: 'create manifests',
    variables: {},
    present: testNow,
    templates: templatesFrom('templates'),
  });
  const changed = result.ok ? result.value.outputs.filter(({ change }) => change !== 'unchanged') : [];
  return {
    problems: problemsOf(result).map(showProblem),
    changes: changed.map(({ path, change }) => `${change} ${path}`),
  };
}

function tree(dir: string): Readonly<Record<string, string>> {
  const paths = ['manifests', 'openshift'].flatMap((folder) =>
    existsSync(join(dir, folder)) ? readdirSync(join(dir, folder)).map((name) => `${folder}/${name}`) : [],
  );
  return Object.fromEntries(
    paths
      .sort()
      .map((path) => [
        path,
        `${(statSync(join(dir, path)).mode & 0o777).toString(8)} ${readFileSync(join(dir, path), 'utf8')}`,
      ]),
  );
}

it('an edit, a deletion and an addition outlive further runs and changes of the config', async () => {
  const dir = scratchFolder();
  const config = join(dir, 'install-config.yaml');
  const dns = 'manifests/cluster-dns-02-config.yml';
  const rootCa = 'manifests/kube-system-configmap-root-ca.yaml';
  writeFileSync(config, installConfigText('fips: true\n'));

  const first = await createManifests(dir);
  expect(first.problems).toEqual([]);
  const written = tree(dir);
  expect(first.changes).toEqual(Object.keys(written).map((path) => `written ${path}`));
  expect(await createManifests(dir)).toEqual({ problems: [], changes: [] });

  writeFileSync(join(dir, dns), `# mine\n${readFileSync(join(dir, dns), 'utf8')}`);
  rmSync(join(dir, rootCa));
  writeFileSync(
    join(dir, 'openshift/mine.yaml'),
    'apiVersion: v1\nkind: Namespace\nmetadata: {name: mine}\n',
  );
  const edited = tree(dir);
  const deleted = `warning[manifest/deleted] ${rootCa}: ${rootCa} was deleted and is left out of the installation`;
  expect(await createManifests(dir)).toEqual({ problems: [deleted], changes: [] });
  expect(tree(dir)).toEqual(edited);

  writeFileSync(config, installConfigText());
  const removed = ['master', 'worker'].map(
    (role) => `openshift/99_openshift-machineconfig_99-${role}-fips.yaml`,
  );
  expect(await createManifests(dir)).toEqual({
    problems: [deleted],
    changes: ['written manifests/cluster-config.yaml', ...removed.map((path) => `removed ${path}`)],
  });
  expect(Object.keys(tree(dir))).toEqual(Object.keys(edited).filter((path) => !removed.includes(path)));
  expect(tree(dir)[dns]).toBe(edited[dns]);

  rmSync(join(dir, 'manifests'), { recursive: true });
  const dropped =
    'warning[manifest/folder-gone] manifests: the folder manifests/ was deleted, so all its files are generated again';
  expect((await createManifests(dir)).problems).toEqual([dropped]);
  const anew = Object.entries(tree(dir)).filter(
    ([path]) => path !== 'openshift/mine.yaml' && path !== 'manifests/cluster-config.yaml',
  );
  expect(Object.fromEntries(anew)).toEqual(
    Object.fromEntries(
      Object.entries(written).filter(
        ([path]) => path !== 'manifests/cluster-config.yaml' && !removed.includes(path),
      ),
    ),
  );
});
