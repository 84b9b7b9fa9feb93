import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';

import { readIsoConfig } from '../../../src/media/single-node-iso.js';
import { openImage } from '../../../src/disk/image/image-file.js';
import { liveIso } from '../../media/support/live-iso.js';
import { ageKeys } from '../../support/age-keys.js';
import { snoInProcess, type CommandOutput } from '../../support/in-process.js';
import { scratchFolder } from '../../support/scratch.js';

const config = 'bootstrap-in-place-for-live-iso.ign';
const names = ['north-1', 'north-2', 'south-1'];

/** A copy of the fleet with live.iso, and ECDSA keys for speed. */
function laidFleet(iso = liveIso()): string {
  const cwd = scratchFolder();
  cpSync('fixtures/fleet', cwd, { recursive: true });
  appendFileSync(join(cwd, 'base/sno-config.yaml'), 'certificates: {keyAlgorithm: ECDSA-P256}\n');
  writeFileSync(join(cwd, 'live.iso'), iso);
  return cwd;
}

function create(cwd: string, ...more: readonly string[]): Promise<CommandOutput> {
  return snoInProcess(['fleet', 'create', '--iso', 'live.iso', '--jobs', '2', ...more], { cwd });
}

interface CreateResult {
  readonly problems: readonly { readonly code: string; readonly sites: readonly string[] }[];
  readonly sites: readonly {
    readonly name: string;
    readonly result: string;
    readonly keptKeys?: boolean;
    readonly iso?: { readonly path: string; readonly writtenBytes: number };
  }[];
}

const schema = JSON.parse(readFileSync('docs/output.schema.json', 'utf8')) as object;
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(schema, 'output');

async function createIn(cwd: string, ...more: readonly string[]): Promise<CreateResult> {
  const made = JSON.parse((await create(cwd, '--output', 'json', ...more)).stdout) as CreateResult;
  ajv.validate('output#/$defs/fleetCreate', made);
  expect(ajv.errors).toBeNull();
  return made;
}

/** Name, result and whether an ISO was written, of each site. */
const resultsOf = ({ sites }: CreateResult): unknown =>
  sites.map(({ name, result, iso }) => [name, result, iso && iso.writtenBytes > 0]);

const isoOf = (cwd: string, name: string): string => join(cwd, 'out', name, 'single-node.iso');

async function embedded(cwd: string, name: string): Promise<string | undefined> {
  const opened = openImage('the ISO', isoOf(cwd, name));
  if (!opened.ok) return undefined;
  const found = await readIsoConfig(opened.value.image);
  opened.value.close();
  return found.ok ? found.value?.toString('utf8') : undefined;
}

const notCompared = '  inputs of a fleet, not compared (see `sno-install fleet status`)';

describe('fleet create --iso', () => {
  let cwd = '';
  let first: CommandOutput;
  beforeAll(async () => {
    cwd = laidFleet();
    first = await create(cwd);
  });

  it('writes an ISO with its receipt for each site, and says how much it wrote', async () => {
    const bytes = (liveIso().length * 3) / 1e6;
    expect(first.stderr).toBe('');
    expect(first.stdout).toMatch(
      / 3 {2}created\nWrote 3 ISOs \([\d.]+ MB\), such as out\/north-1\/single-node\.iso\./,
    );
    expect(Number(/\(([\d.]+) MB/.exec(first.stdout)?.[1])).toBeLessThanOrEqual(bytes + 0.05);
    for (const name of names) {
      expect(statSync(isoOf(cwd, name)).mode & 0o777).toBe(0o600);
      expect(await embedded(cwd, name)).toBe(readFileSync(join(cwd, 'out', name, config), 'utf8'));
      const verified = await snoInProcess(['verify', `out/${name}`], { cwd });
      expect(verified).toMatchObject({ code: 0, stderr: '' });
      expect(verified.stdout.split('\n')).toEqual([
        expect.stringContaining(`${name}/receipt.json: `),
        notCompared,
        expect.stringContaining(`${name}/single-node.iso.receipt.json: `),
        expect.stringContaining('created from the live ISO'),
        notCompared,
        '',
      ]);
    }
    const status = await snoInProcess(['fleet', 'status'], { cwd });
    expect(status.stdout).toMatch(/ 3 {2}up to date/);
  });

  it('writes only ISOs that are missing, damaged or outdated', async () => {
    expect(resultsOf(await createIn(cwd))).toEqual(names.map((name) => [name, 'unchanged', false]));

    rmSync(isoOf(cwd, 'north-1'));
    writeFileSync(isoOf(cwd, 'north-2'), readFileSync(isoOf(cwd, 'north-2')).subarray(0, -2048));
    expect(resultsOf(await createIn(cwd))).toEqual([
      ['north-1', 'unchanged', true],
      ['north-2', 'unchanged', true],
      ['south-1', 'unchanged', false],
    ]);

    const table = join(cwd, 'sites.csv');
    writeFileSync(table, readFileSync(table, 'utf8').replace('10.1.2.10', '10.1.2.20'));
    const changed = await createIn(cwd);
    expect(resultsOf(changed)).toEqual([
      ['north-1', 'unchanged', false],
      ['north-2', 'created', true],
      ['south-1', 'unchanged', false],
    ]);
    expect(changed.sites.map(({ keptKeys }) => keptKeys)).toEqual([undefined, true, undefined]);
    expect(await embedded(cwd, 'north-2')).toBe(readFileSync(join(cwd, 'out/north-2', config), 'utf8'));
  });

  it('continues after a kill between the ISO and its receipt, and replaces no file of the user', async () => {
    rmSync(`${isoOf(cwd, 'north-1')}.receipt.json`);
    writeFileSync(isoOf(cwd, 'north-2'), 'mine');
    const made = await createIn(cwd);
    expect(resultsOf(made)).toEqual([
      ['north-1', 'unchanged', true],
      ['north-2', 'failed', undefined],
      ['south-1', 'unchanged', false],
    ]);
    expect(made.problems).toMatchObject([{ code: 'media/output', sites: ['north-2'] }]);
    expect(readFileSync(isoOf(cwd, 'north-2'), 'utf8')).toBe('mine');
    expect(existsSync(`${isoOf(cwd, 'north-1')}.receipt.json`)).toBe(true);
  });
});

describe('create single-node-iso for a site of a fleet', () => {
  let cwd = '';
  const createIso = (...more: readonly string[]): Promise<CommandOutput> =>
    snoInProcess(['create', 'single-node-iso', 'out/north-1', '--iso', 'live.iso', ...more], { cwd });
  beforeAll(async () => {
    cwd = laidFleet();
    expect((await create(cwd, '--only', 'north-1')).code).toBe(0);
  });

  it('writes the same ISO as `fleet create --iso`', async () => {
    const paths = [isoOf(cwd, 'north-1'), `${isoOf(cwd, 'north-1')}.receipt.json`];
    const contents = (): unknown => paths.map((path) => readFileSync(path, 'latin1'));
    const before = contents();
    for (const path of paths) rmSync(path);
    const { code, stdout, stderr } = await createIso();
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringMatching(/\n {2}Boot before {3}20/)]);
    expect(contents()).toEqual(before);
  });

  it.each([
    [['--renew'], '--renew does not apply'],
    [['--renew-before', '10d'], '--renew-before does not apply'],
    [['--dest-karg', 'a'], '--dest-karg or --console does not apply'],
    [['--no-encrypt-outputs'], '--no-encrypt-outputs does not apply'],
  ])('%j changes the outputs of the fleet', async (args, message) => {
    const { code, stderr } = await createIso('--overwrite', ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toContain('fleet create --dir . --only north-1');
  });

  it('fleet/outdated names the command that refreshes the outputs', async () => {
    writeFileSync(
      join(cwd, 'sites.csv'),
      readFileSync(join(cwd, 'sites.csv'), 'utf8').replace('10.1.1.10', '10.1.1.11'),
    );
    expect(await createIso('--overwrite')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /error.fleet.outdated.: site north-1 of the fleet is outdated: inputs changed\n.*fleet create --dir \. --only north-1/,
      ) as string,
    });
  });

  it('outputs without their fleet are an error', async () => {
    const moved = scratchFolder();
    cpSync(join(cwd, 'out/north-1'), join(moved, 'north-1'), { recursive: true });
    writeFileSync(join(moved, 'live.iso'), liveIso());
    const args = ['create', 'iso', 'north-1', '--iso', 'live.iso', '--overwrite'];
    const { code, stderr } = await snoInProcess(args, { cwd: moved });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('error[fleet/missing]: north-1 belongs to a site'),
    ]);
  });
});

it('a second run reports a missing identity for encrypted outputs before it writes', async () => {
  const cwd = laidFleet();
  const { recipient, identity } = ageKeys.ours;
  appendFileSync(join(cwd, 'fleet.yaml'), `recipients: [${recipient}]\nencryptOutputs: true\n`);
  writeFileSync(join(cwd, 'identity'), `${identity}\n`);
  expect((await create(cwd)).code).toBe(0);
  rmSync(isoOf(cwd, 'north-1'));

  const { code, stdout, stderr } = await create(cwd);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^error\[state\/no-identity\]: --iso reads .* those of 3 sites are encrypted\n.*\n? *= hint: .*--identity FILE\n\n1 error\n$/,
  );
  expect((await create(cwd, '--identity', 'identity')).stdout).toMatch(/ 3 {2}unchanged\nWrote 1 ISO /);
});

describe('fleet create --iso with an unsuitable ISO', () => {
  it('an ISO without the payload of a site gets a warning', async () => {
    const cwd = laidFleet();
    appendFileSync(join(cwd, 'base/sno-config.yaml'), 'payload: { file: ../a.payload }\n');
    cpSync('fixtures/configs/payload/4.22.0-x86_64.payload.json', join(cwd, 'a.payload.json'));
    const { code, stderr } = await create(cwd, '--only', 'north-1');
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        'warning[payload/not-on-medium]: the ISO does not contain the payload, because a.payload does not exist (1 site: north-1)\n',
      ),
    ]);
  });

  it('another release fails the sites before they are created; --force accepts it', async () => {
    const cwd = laidFleet(liveIso({}, 'rhcos-417.94.202410090854-0'));
    writeFileSync(
      join(cwd, 'base/sno-config.yaml'),
      `${readFileSync(join(cwd, 'base/sno-config.yaml'), 'utf8')}releaseImage: quay.io/openshift-release-dev/ocp-release:4.17.1-x86_64\n`,
    );
    const other = join(cwd, 'overrides/south-1');
    cpSync(join(cwd, 'base'), other, {
      recursive: true,
      filter: (path) => !path.endsWith('install-config.yaml'),
    });
    writeFileSync(
      join(other, 'sno-config.yaml'),
      'releaseImage: quay.io/openshift-release-dev/ocp-release:4.18.1-x86_64\n',
    );
    const { code, stderr } = await create(cwd);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/error\[media\/release\].*4\.17.*4\.18.*south-1/),
    ]);
    expect([existsSync(isoOf(cwd, 'north-1')), existsSync(join(cwd, 'out/south-1'))]).toEqual([true, false]);
    expect((await create(cwd, '--force')).code).toBe(0);
    expect(existsSync(isoOf(cwd, 'south-1'))).toBe(true);
  });

  it('a file that is no ISO fails the command before anything is created', async () => {
    const cwd = laidFleet(Buffer.alloc(65536));
    const { code, stderr } = await create(cwd);
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[media/not-an-iso]')]);
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });

  it.each([
    [['--store', 's3://a/b'], /--iso is not supported with --store/],
    [['--force'], /--force requires --iso/],
    [['--payload', 'a.payload'], /--payload requires --iso/],
    [['--no-payload'], /--no-payload requires --iso/],
  ])('%j', async (args, message) => {
    const iso = args[0] === '--store' ? ['--iso', 'live.iso'] : [];
    const { code, stderr } = await snoInProcess(['fleet', 'create', ...iso, ...args], { cwd: laidFleet() });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
