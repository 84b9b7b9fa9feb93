import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';

const installConfig = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8').replace(
  /^pullSecret: .*\n/m,
  'imageDigestSources:\n  - source: quay.io/openshift-release-dev/ocp-release\n    mirrors: [registry.example.com/a]\n  - source: quay.io/openshift-release-dev/ocp-v4.0-art-dev\n    mirrors: [registry.example.com/b]\n',
);
const snoConfig =
  'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\npullSecretFile: ../../pull.json\nhostname: one\n' +
  'releaseImage: quay.io/openshift-release-dev/ocp-release@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\nreleaseVersion: "4.21"\n';

/** A site and a fleet of one site, as in a clone whose pull secret is ignored by Git. */
let folder = '';
const at = (path: string): string => join(folder, path);
beforeAll(async () => {
  folder = scratchFolder();
  for (const dir of ['sites/one', 'fleet/base']) {
    mkdirSync(at(dir), { recursive: true });
    writeFileSync(join(at(dir), 'install-config.yaml'), installConfig);
    writeFileSync(join(at(dir), 'sno-config.yaml'), snoConfig);
  }
  writeFileSync(at('fleet/fleet.yaml'), 'apiVersion: sno-install/v1alpha1\nkind: Fleet\nsites: sites.csv\n');
  writeFileSync(at('fleet/sites.csv'), 'name\none\n');
  writeFileSync(at('pull.json'), '{"auths":{"registry.example.com":{"auth":"dGVzdDp0ZXN0"}}}');
  await snoInProcess(['golden', 'sites/one', '--out', 'golden'], { cwd: folder });
  await snoInProcess(['fleet', 'golden', '--dir', at('fleet'), '--out', at('fleet-golden')]);
  rmSync(at('pull.json'));
  cpSync(at('fleet'), at('other'), { recursive: true });
  cpSync(at('sites/one'), at('sites/two'), { recursive: true });
  for (const path of ['other/base/sno-config.yaml', 'sites/two/sno-config.yaml'])
    writeFileSync(at(path), snoConfig.replace('hostname: one', 'hostname: two'));
});

const changed = '  - Host name: one\n  + Host name: two\n';

describe('without the pull secret', () => {
  test.each([
    ['diff', ['diff', 'sites/one', 'sites/two'], 1, "    -SNO_HOSTNAME='one'\n    +SNO_HOSTNAME='two'\n"],
    ['diff --sheet', ['diff', '--sheet', 'sites/one', 'sites/two'], 1, changed],
    ['inspect', ['inspect', 'sites/one'], 0, '  Host name     one\n'],
    ['golden --check', ['golden', 'sites/one', '--check', '--out', 'golden'], 0, 'No differences'],
    ['fleet diff', ['fleet', 'diff', 'fleet', 'other'], 1, '    Host name: one → two\n'],
    [
      'fleet golden --check',
      ['fleet', 'golden', '--dir', 'fleet', '--check', '--out', 'fleet-golden'],
      0,
      'No differences',
    ],
    ['fleet render sheet', ['fleet', 'render', 'sheet', '--dir', 'fleet', '--out', 'sheets'], 0, 'Wrote'],
  ] as const)('%s works, with one warning', async (_name, words, code, want) => {
    const done = await snoInProcess(words, { cwd: folder });

    expect({ code: done.code, codes: done.stderr.match(/^\w+\[.*\]/gm) }).toEqual({
      code,
      codes: ['warning[review/placeholder-secret]'],
    });
    expect(done.stdout).toContain(want);
  });

  test.each([
    ['validate', ['validate', 'sites/one']],
    ['fleet validate', ['fleet', 'validate', '--dir', 'fleet']],
    ['golden', ['golden', 'sites/one', '--out', 'new']],
    ['fleet golden', ['fleet', 'golden', '--dir', 'fleet', '--out', 'new']],
  ])('%s reports that it is missing', async (_name, words) => {
    const { code, stderr } = await snoInProcess(words, { cwd: folder });

    expect({ code, codes: stderr.match(/^\w+\[.*\]/gm) }).toEqual({
      code: 1,
      codes: ['error[config/reference]'],
    });
  });

  test('golden names the file to write', async () => {
    const { stderr } = await snoInProcess(['golden', 'sites/one', '--out', 'new'], { cwd: folder });

    expect(stderr).toContain('such as {"auths":{"quay.io":{"auth":"dGVzdDp0ZXN0"}}}');
  });
});
