import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aioIgnition } from '../../../src/assets/aio/ignition.js';
import { compileSchema } from '../../../src/formats/json-schema.js';
import type { IgnitionConfig, IgnitionFile } from '../../../src/ignition/types.js';
import { fixtureFiles, resolveAssets } from '../../support/made-from.js';
import { describeWith } from '../../support/programs.js';
import {
  describeWithIgnition,
  differencesFromConfig,
  layWithIgnition,
  validateWithIgnition,
} from '../../support/real-ignition.js';
import { scratchFolder } from '../../support/scratch.js';
import { describeWithSchemas, schemaVersions, upstreamSchema } from '../../support/upstream-schemas.js';

const cases = readdirSync('fixtures/configs').filter((name) => name.startsWith('aio-'));
const texts = new Map<string, string>();

beforeAll(async () => {
  for (const name of cases) {
    const made = await resolveAssets([aioIgnition], { files: fixtureFiles(name) });
    texts.set(name, made.valueOf(aioIgnition).text);
  }
});

function textOf(name: string): string {
  const text = texts.get(name);
  if (text === undefined) throw new Error(`${name} was not made`);
  return text;
}

/** The contents of every downloaded file in this test. */
const fetchedBytes = 'a program\n';
const fetchedHash = `sha256-${createHash('sha256').update(fetchedBytes).digest('hex')}`;

/** The config with another source for every downloaded file. */
function withSource(config: IgnitionConfig, contents: IgnitionFile['contents']): IgnitionConfig {
  const files = (config.storage?.files ?? []).map((file) =>
    file.contents?.source.startsWith('https:') === true && contents ? { ...file, contents } : file,
  );
  // The fixture's proxy does not exist.
  return { ...config, ignition: { version: '3.2.0' }, storage: { ...config.storage, files } };
}

describeWithIgnition('aio.ign before the real Ignition', () => {
  let server: ChildProcess | undefined;
  let url = '';
  beforeAll(async () => {
    // In a separate process: the engine runs synchronously.
    const code = `require('node:http').createServer((_, answer) => answer.end(${JSON.stringify(fetchedBytes)}))
      .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
    const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    server = child;
    url = await new Promise((done) => {
      child.stdout.once('data', (port: Buffer) => {
        done(`http://127.0.0.1:${port.toString().trim()}/program`);
      });
    });
  });
  afterAll(() => {
    server?.kill();
  });

  it.each(cases)('%s is clean for ignition-validate', (name) => {
    expect(validateWithIgnition(textOf(name))).toBe('');
  });

  it.each(cases)('%s: writes every file, including downloads', (name) => {
    const config = JSON.parse(textOf(name)) as IgnitionConfig;
    const served = withSource(config, { source: url, verification: { hash: fetchedHash } });
    const root = layWithIgnition(JSON.stringify(served), scratchFolder());
    const inside = withSource(config, { source: `data:,${encodeURIComponent(fetchedBytes)}` });
    expect(differencesFromConfig(root, inside)).toEqual([]);
  });

  it('rejects a download with another hash', () => {
    const config = JSON.parse(textOf('aio-minimal')) as IgnitionConfig;
    const hash = `sha256-${'0'.repeat(64)}`;
    const text = JSON.stringify(withSource(config, { source: url, verification: { hash } }));
    expect(() => layWithIgnition(text, scratchFolder())).toThrow(/hash verification failed/);
  });
});

describeWithSchemas('aio.ign before the schemas that Ignition publishes', () => {
  it.each(schemaVersions.map((version) => ({ version })))(
    'keeps to version $version',
    async ({ version }) => {
      const check = await compileSchema(upstreamSchema(version));
      expect(cases.flatMap((name) => check(JSON.parse(textOf(name))))).toEqual([]);
    },
  );
});

describeWith(['systemd-analyze', 'systemctl'], 'the units of aio.ign before the real systemd', () => {
  /** Programs that only the real operating system has, or that are downloaded. */
  const expected = ['kubelet', '/usr/bin/podman'];

  describe.each(cases)('%s', (name) => {
    it('has valid units and enables those with an [Install] section', () => {
      const root = scratchFolder();
      const { storage, systemd } = JSON.parse(textOf(name)) as IgnitionConfig;
      addSystemUnits(root);
      const units = (systemd?.units ?? []).filter(({ contents }) => contents !== undefined);
      for (const unit of units) put(join(root, 'etc/systemd/system', unit.name), unit.contents ?? '');
      for (const { path } of storage?.files ?? [])
        if (path.startsWith('/usr/local/bin/')) put(join(root, path), '', 0o755);
      const enabled = (systemd?.units ?? []).filter((unit) => unit.enabled === true).map((unit) => unit.name);

      expect(
        complaintsAbout(
          root,
          units.map((unit) => unit.name),
          expected,
        ),
      ).toEqual([]);
      spawnSync('systemctl', [
        `--root=${root}`,
        'enable',
        ...enabled.filter((unit) => units.some((each) => each.name === unit)),
      ]);
      const wanted = ['multi-user', 'timers'].flatMap((target) =>
        readdirSync(join(root, `etc/systemd/system/${target}.target.wants`)),
      );
      const runtime = ['aio-openshift', 'aio-payload'].includes(name) ? 'crio.service' : 'containerd.service';
      expect(enabled.toSorted()).toEqual([...wanted, runtime].toSorted());
    });
  });
});

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text, { mode });
}

/** Adds systemd's own units, and the units of the container runtimes' packages. */
function addSystemUnits(root: string): void {
  cpSync('/usr/lib/systemd/system', join(root, 'usr/lib/systemd/system'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) =>
      !statSync(path, { throwIfNoEntry: false })?.isFile() ||
      !path.endsWith('.service') ||
      basename(path).startsWith('systemd-'),
  });
  for (const name of ['containerd', 'crio'])
    put(
      join(root, `usr/lib/systemd/system/${name}.service`),
      '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n',
    );
  put(join(root, 'bin/true'), readFileSync('/bin/true', 'latin1'), 0o755);
}

/** The output of systemd-analyze, without reports that these programs are missing. */
function complaintsAbout(
  root: string,
  units: readonly string[],
  absent: readonly string[],
): readonly string[] {
  const args = ['verify', '--man=no', `--root=${root}`, ...units];
  const { stdout, stderr, error } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  if (error) throw error;
  return `${stdout}${stderr}`
    .split('\n')
    .filter(
      (line) =>
        line !== '' && !absent.some((program) => line.includes(`Command ${program} is not executable`)),
    );
}
