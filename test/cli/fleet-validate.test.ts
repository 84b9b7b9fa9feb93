import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fleetFolder, fleetText } from '../fleet/files.js';
import { snapshot } from '../support/command.js';
import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';

/** The fleet of docs/fleet.md, in a folder `fleet`. */
function exampleFolder(): string {
  const folder = scratchFolder();
  cpSync('fixtures/fleet', join(folder, 'fleet'), { recursive: true });
  return folder;
}

/** The code blocks of docs/fleet.md in one language; '' for blocks without a language. */
function blocks(language: string): readonly string[] {
  // The files of classes and merged lists are those of other fleets.
  const [text = ''] = readFileSync('docs/fleet.md', 'utf8').split('### Variables of a class');
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, kind, block = '']) =>
    kind === language ? [block] : [],
  );
}

describe('fleet validate', () => {
  it('accepts the fleet of docs/fleet.md with the output in the docs, and writes no files', async () => {
    const dir = join(exampleFolder(), 'fleet');
    const before = snapshot(dir);

    expect(await snoInProcess(['fleet', 'validate', '--dir', dir])).toEqual({
      code: 0,
      stdout: '3 sites: no problems found\n',
      stderr: '',
    });
    expect(snapshot(dir)).toEqual(before);
    const files = ['fleet.yaml', 'base/sno-config.yaml', 'overrides/south-1/sno-config.yaml', 'sites.csv'];
    const texts = files.map((file) => readFileSync(join('fixtures/fleet', file), 'utf8'));
    for (const block of [...blocks('yaml'), ...blocks('csv')]) {
      expect(texts.some((text) => text.includes(block))).toBe(true);
    }
    expect([blocks('yaml').length, blocks('csv').length]).toEqual([3, 1]);
  });

  it.each([
    { format: 'github', line: /^::error file=fleet\/sites\.csv,line=3,/m },
    { format: 'sarif', line: /"uri": "fleet\/sites\.csv"/ },
    { format: 'junit', line: /<testcase classname="fleet" name="fleet\/sites\.csv">/ },
  ])('reports problems as $format, on stdout only', async ({ format, line }) => {
    const cwd = exampleFolder();
    const table = join(cwd, 'fleet/sites.csv');
    writeFileSync(table, readFileSync(table, 'utf8').replace(/^north-2,/m, 'North_2,'));

    const { code, stdout, stderr } = await snoInProcess(['fleet', 'validate', 'fleet', '-o', format], {
      cwd,
    });

    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(line);
  });

  it('reports a typing error as in docs/fleet.md', async () => {
    const cwd = exampleFolder();
    const [, slip = ''] = blocks('');
    const table = join(cwd, 'fleet/sites.csv');
    writeFileSync(table, readFileSync(table, 'utf8').replace(/^north-2,.*\n/m, slip));

    const [shown = ''] = blocks('console');
    const { code, stdout, stderr } = await snoInProcess(['fleet', 'validate', '--dir', 'fleet'], { cwd });
    expect([code, `$ sno-install fleet validate --dir fleet\n${stderr}${stdout}`]).toEqual([1, shown]);
  });

  it('reports the problems of a row with an invalid name', async () => {
    const dir = join(exampleFolder(), 'fleet');
    const table = join(dir, 'sites.csv');
    const text = readFileSync(table, 'utf8').replace('north-1', 'North_1').replace('10.1.2.10', '10.1.1.10');
    writeFileSync(table, text);

    const { code, stdout, stderr } = await snoInProcess(['fleet', 'validate', '--dir', dir]);
    expect([code, stdout]).toEqual([
      1,
      '3 sites: cannot be created until the errors of the fleet are fixed\n',
    ]);
    expect(stderr.match(/^error.*$/gm)).toEqual([
      'error[fleet/site-name]: "North_1" is not a valid site name: it has upper-case letters',
      'error[config/interface-address]: no address of the interfaces (10.1.1.10) is in a machine network (10.1.2.0/24)',
      'error[fleet/shared-value]: this nodeIP is already used by the site North_1 (1 site: north-2)',
    ]);
    const json = await snoInProcess(['fleet', 'validate', '--dir', dir, '--output', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      sites: [
        { name: 'North_1', ok: false },
        { name: 'north-2', ok: false },
        { name: 'south-1', ok: true },
      ],
    });
    expect((await snoInProcess(['fleet', 'create', '--dir', dir])).stderr).toContain(
      'error[fleet/site-name]',
    );
    expect(snapshot(dir)).not.toHaveProperty('out');
  });

  it('merges problems of many sites into one with their number, and lists all in JSON', async () => {
    const rows = Array.from({ length: 9 }, (_, index) => `site-${index},10.0.0.${index}\n`);
    const dir = fleetFolder({ 'sites.csv': `name,ip\n${rows.join('')}`, 'base/sno-config.yaml': '' });
    const { stderr } = await snoInProcess(['fleet', 'validate', '--dir', dir]);
    expect(stderr).toMatch(/sno-config.yaml is empty \(all 9 sites\)/);
    const some = await snoInProcess(['fleet', 'validate', '--dir', dir, '--only', 'site-4']);
    expect(some.stderr).toMatch(/sno-config.yaml is empty \(1 site: site-4\)/);

    const { stdout } = await snoInProcess(['fleet', 'validate', '--dir', dir, '--output', 'json']);
    const { problems, sites } = JSON.parse(stdout) as {
      problems: readonly { code: string; sites: readonly string[] }[];
      sites: readonly { ok: boolean }[];
    };
    const empty = problems.find(({ code }) => code === 'config/not-one-document');
    expect([empty?.sites.length, sites.filter(({ ok }) => ok).length]).toEqual([9, 0]);
  });

  it('counts the warnings of sites without errors', async () => {
    const dir = fleetFolder({ 'base/openshift/notes.txt': 'no manifest\n' });
    const { code, stdout, stderr } = await snoInProcess(['fleet', 'validate', '--dir', dir]);
    expect([code, stdout], stderr).toEqual([0, '2 sites: no errors found, 1 warning\n']);
  });

  it('shows the first of many cells with one fault', async () => {
    const rows = Array.from({ length: 9 }, (_, index) => `site-${index},10.0.0.${index}\n`);
    const dir = fleetFolder({ 'sites.csv': `name,ip\n${rows.join('')}` });

    const { stderr, stdout } = await snoInProcess(['fleet', 'validate', '--dir', dir]);
    expect(stderr.match(/^error\[config\/node-ip\]/gm)).toHaveLength(5);
    expect(stderr).toMatch(/10\.0\.0\.4 .* \(and 4 cells more with the same fault\)/);
    expect(stderr).toMatch(/\n9 errors\n$/);
    expect(stdout).toBe('9 of 9 sites have errors\n');
  });

  it('reports sites with the same BMC at their cells, if the fleet has a boot section', async () => {
    const bmcs = ['/redfish/v1/Systems/1', '/redfish/v1/Systems/2', '/redfish/v1/Systems/1'];
    const rows = bmcs.map((system, index) => `site-${index},192.168.126.1${index},192.0.2.1${system}\n`);
    const changes = {
      'sites.csv': `name,ip,bmc\n${rows.join('')}site-3,192.168.126.13,ipmi://192.0.2.2\n`,
      'fleet.yaml': fleetText('boot: { address: "${bmc}" }\n'),
    };
    const { code, stderr } = await snoInProcess(['fleet', 'validate', '--dir', fleetFolder(changes)]);

    expect([code, stderr.match(/^(?:error.*| {2}--> .*)$/gm)]).toEqual([
      1,
      [
        'error[fleet/shared-value]: this BMC is already used by the site site-0 (1 site: site-2)',
        expect.stringMatching(/sites\.csv:4:23 \(bmc\)$/),
        'error[boot/address]: this uses a protocol without Redfish virtual media (ipmi://) (1 site: site-3)',
        expect.stringMatching(/sites\.csv:5:23 \(bmc\)$/),
      ],
    ]);
  });

  it('reports missing files, and a selection without sites', async () => {
    const empty = await snoInProcess(['fleet', 'validate', '--dir', scratchFolder()]);
    expect(empty).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error[fleet/missing]') as string,
    });

    const dir = fleetFolder();
    const none = await snoInProcess(['fleet', 'validate', '--dir', dir, '--only', 'south-*']);
    expect(none).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error[fleet/no-site]') as string,
    });

    rmSync(join(dir, 'base'), { recursive: true });
    const plain = await snoInProcess(['fleet', 'validate', '--dir', dir]);
    expect(plain).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error[fleet/no-base]') as string,
    });
  });
});
