import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { fleetFiles, fleetFolder, fleetText } from '../../fleet/files.js';
import { snoInProcess } from '../../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';

/** Each layer sets one field. */
const layered: Readonly<Record<string, string>> = {
  'fleet.yaml': fleetText(
    'classes: ["${hardware}"]\nvariables:\n  domain: example.org\n' +
      'secrets:\n  login:\n    command: [false]\n    example: \'{"auths":{"quay.io":{"auth":"YTpi"}}}\'\n',
  ),
  'sites.csv': 'name,ip,hardware\nnorth-1,192.168.126.10,r750\n',
  'base/install-config.yaml': (fleetFiles['base/install-config.yaml'] ?? '')
    .replace('baseDomain: example.com', 'baseDomain: ${domain}')
    .replace(/^pullSecret:.*$/m, 'pullSecret: ${login}'),
  'base/sno-config.yaml': snoConfigText('hostname: ${name}\nnodeIP: ${ip}\ncertificates:\n  validity: 48h\n'),
  'classes/r750/sno-config.yaml': 'kernelArguments: [audit=0]\n',
  'overrides/north-1/sno-config.yaml': 'ntpSources:\n  - clock.example.com\n',
};

let dir = '';
beforeAll(() => {
  dir = fleetFolder(layered);
});

/** Lines of a successful run in the directory of the fleet. */
async function linesOf(...args: readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr, code } = await snoInProcess(['fleet', 'why', ...args], { cwd: dir });
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\n');
}

const install = layered['base/install-config.yaml'] ?? '';

/** Number of the first line with this start. */
function lineOf(text: string, start: string): number {
  return text.split('\n').findIndex((line) => line.trim().startsWith(start)) + 1;
}

describe('fleet why', () => {
  test('names the variable and the column, with the places that use them', async () => {
    expect(await linesOf('north-1', 'DNS/cluster')).toEqual([
      'bootstrap-in-place-for-live-iso.ign:/opt/openshift/manifests/cluster-dns-02-config.yml',
      '  asset: manifests/dns',
      '  included by: manifests/generated, manifests/all, manifests/node-files, ignition/single-node',
      '  inputs of manifests/dns:',
      `    fleet.yaml:6: baseDomain (variable domain, used in base/install-config.yaml:${lineOf(install, 'baseDomain')})`,
      `    sites.csv:2: metadata.name (column name, used in base/install-config.yaml:${lineOf(install, 'name: ${name}')})`,
      '',
    ]);
  });

  test.each([
    { layer: 'base', line: /^ {4}base\/sno-config\.yaml:\d+: certificates\.validity \(base\)$/ },
    { layer: 'class', line: /^ {4}classes\/r750\/sno-config\.yaml:1: kernelArguments\[0\] \(class r750\)$/ },
    {
      layer: 'override',
      line: /^ {4}overrides\/north-1\/sno-config\.yaml:2: ntpSources\[0\] \(override\)$/,
    },
    {
      layer: 'secret',
      line: /^ {4}fleet\.yaml:8: pullSecret \(secret login, used in base\/install-config\.yaml:\d+\)$/,
    },
    {
      layer: 'files',
      line: /^ {4}file sno-config\.yaml \(base\/sno-config\.yaml, classes\/r750\/sno-config\.yaml, overrides\/north-1\/sno-config\.yaml\)$/,
    },
  ])('names the layer: $layer', async ({ line }) => {
    const lines = await linesOf('north-1', 'bootstrap-in-place-for-live-iso.ign');
    expect(lines).toContainEqual(expect.stringMatching(line));
  });

  test('has the layers as data', async () => {
    const { stdout } = await snoInProcess(['fleet', 'why', 'north-1', 'DNS/cluster', '--output', 'json'], {
      cwd: dir,
    });
    const usedAt = `base/install-config.yaml:${lineOf(install, 'baseDomain')}`;
    expect(JSON.parse(stdout)).toMatchObject({
      answers: [
        {
          origins: [
            {
              fields: [
                {
                  ...{ file: 'fleet.yaml', line: 6, field: 'baseDomain' },
                  layer: { kind: 'variable', name: 'domain', usedAt },
                },
                { file: 'sites.csv', line: 2, layer: { kind: 'column', name: 'name' } },
              ],
              sources: {},
            },
          ],
        },
      ],
    });
  });

  test('shows paths relative to the working directory', async () => {
    const { stdout } = await snoInProcess(['fleet', 'why', 'north-1', 'DNS/cluster', '--dir', dir], {
      cwd: join(dir, 'base'),
    });
    expect(stdout).toContain(`(variable domain, used in install-config.yaml:`);
  });

  test('reports an unknown site, an unknown file and the problems of the site', async () => {
    const faulty = fleetFolder({ 'overrides/north-1/sno-config.yaml': 'nodeIP: 192.0.2.300\n' });
    const outputs = [
      await snoInProcess(['fleet', 'why', 'north-11', '/etc/motd'], { cwd: dir }),
      await snoInProcess(['fleet', 'why', 'north-1', '/etc/nothing'], { cwd: dir }),
      await snoInProcess(['fleet', 'why', 'north-1', '/etc/motd'], { cwd: faulty }),
    ];
    expect(outputs.map(({ code, stdout, stderr }) => [code, stdout, stderr])).toEqual([
      [1, '', expect.stringMatching(/error\[fleet\/no-site\][^]*did you mean "north-1"\?/)],
      [1, '', expect.stringContaining('error[why/unknown]')],
      [1, '', expect.stringContaining('overrides/north-1/sno-config.yaml:1')],
    ]);
  });
});

test('why in the outputs of a site names the command for the fleet', async () => {
  const fleet = fleetFolder({ 'sites.csv': 'name,ip\nnorth-1,192.168.126.10\n' });
  writeFileSync(
    join(fleet, 'base/sno-config.yaml'),
    snoConfigText('hostname: ${name}\nnodeIP: ${ip}\ncertificates:\n  keyAlgorithm: ECDSA-P256\n'),
  );
  expect((await snoInProcess(['fleet', 'create', '--jobs', '1'], { cwd: fleet })).code).toBe(0);

  const run = await snoInProcess(['why', '/etc/motd', '--dir', 'out/north-1'], { cwd: fleet });
  expect([run.code, run.stdout, run.stderr]).toEqual([
    1,
    '',
    'error[why/fleet-site]: out/north-1 contains the outputs of a site; its inputs are in a fleet\n' +
      '   = hint: run `sno-install fleet why north-1 PATH --dir .`\n\n1 error\n',
  ]);
});

test('why in a directory with its own configuration ignores a fleet above it', async () => {
  const fleet = fleetFolder({
    'out/north-1/install-config.yaml': minimalInstallConfig,
    'out/north-1/sno-config.yaml': snoConfigText(''),
  });
  const { code } = await snoInProcess(['why', '/etc/motd', '--dir', 'out/north-1'], { cwd: fleet });
  expect(code).toBe(0);
});
