import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';

/** Copies fixtures/import/agent once per entry, which maps a folder to the site's name. */
function sourceOf(sites: Readonly<Record<string, string>>): string {
  const from = scratchFolder();
  for (const [folder, name] of Object.entries(sites)) {
    cpSync('fixtures/import/agent', join(from, folder), { recursive: true });
    const path = join(from, folder, 'install-config.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replace('name: site1', `name: ${name}`));
  }
  return from;
}

describe('import --fleet', () => {
  it('reports two sites with the same name at their files', async () => {
    const from = sourceOf({ a: 'one', b: 'two', c: 'one' });
    const dir = join(scratchFolder(), 'fleet');
    const { code, stderr } = await snoInProcess(['import', 'agent-config', from, '--fleet', '--dir', dir]);
    expect([code, stderr.split('\n').slice(0, 2), existsSync(dir)]).toEqual([
      1,
      [
        'error[fleet/site-twice]: a/install-config.yaml has a site "one" already',
        expect.stringMatching(/^ {2}--> \S+\/c\/install-config\.yaml:\d+:\d+/),
      ],
      false,
    ]);
  });

  it('rejects a link to a folder as a site', async () => {
    const from = sourceOf({ a: 'one' });
    symlinkSync(sourceOf({ b: 'two' }), join(from, 'linked'));
    const dir = join(scratchFolder(), 'fleet');
    const { code, stdout, stderr } = await snoInProcess([
      'import',
      'agent-config',
      from,
      '--fleet',
      '--dir',
      dir,
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Imported 1 site into')]);
    expect(stderr).toMatch(
      /^warning\[import\/left-out\]: a symbolic link to a directory is not imported\n {2}--> \S+\/linked$/m,
    );
  });

  it('reports once, with file and sites, settings that base and overrides cannot express', async () => {
    const names = { a: 'one', b: 'two', c: 'three' };
    const from = sourceOf(names);
    for (const [folder, name] of Object.entries(names)) {
      const object = `kind: KubeAPIServer\napiVersion: operator.openshift.io/v1\nmetadata: { name: cluster }\nspec: { observedConfig: { "\${${name}}": x } }\n`;
      writeFileSync(join(from, folder, 'openshift', '60-keys.yaml'), object);
    }
    const dir = join(scratchFolder(), 'fleet');
    const { code, stderr } = await snoInProcess(['import', 'agent-config', from, '--fleet', '--dir', dir]);
    expect([code, stderr.match(/^error.*$/gm)]).toEqual([
      1,
      [
        'error[import/malformed]: openshift/60-keys.yaml cannot be split into a base and an override (all 3 sites)',
      ],
    ]);
  });

  it('rejects --site', async () => {
    const args = ['import', 'cluster-instance', 'fixtures/import/ztp', '--fleet', '--site', 'site1'];
    const { code, stderr } = await snoInProcess([...args, '--dir', join(scratchFolder(), 'fleet')]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--site selects one cluster, but --fleet')]);
  });
});

/** openshift-install decodes as JSON, which matches keys in any letter case, even in strict mode. */
test('import of one site names the right spelling of keys of install-config.yaml', async () => {
  const from = join(sourceOf({ a: 'one' }), 'a');
  const path = join(from, 'install-config.yaml');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('baseDomain:', 'BaseDomain:').replace('networkType:', 'NetworkType:'));
  const dir = join(scratchFolder(), 'site');

  const { code, stderr } = await snoInProcess(['import', 'agent-config', from, '--dir', dir]);

  expect([code, stderr.match(/^error.*$|hint: write .*$/gm), existsSync(dir)]).toEqual([
    1,
    [
      'error[config/unknown-field]: unknown field "BaseDomain"',
      'hint: write "baseDomain": upper and lower case matter',
      'error[config/unknown-field]: unknown field "NetworkType" in networking',
      'hint: write "networkType": upper and lower case matter',
    ],
    false,
  ]);
});
