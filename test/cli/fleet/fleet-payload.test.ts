import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { snoInProcess, type CommandOutput } from '../../support/in-process.js';
import { scratchFolder } from '../../support/scratch.js';

const manifest = readFileSync('fixtures/configs/payload/4.22.0-x86_64.payload.json', 'utf8');

/** The manifest of another payload. */
const otherManifest = manifest.replace(/"sha256": "[^"]*"/, `"sha256": "${'ab'.repeat(32)}"`);

/** A copy of the fleet with these files in addition; text after `+` in a name is appended. ECDSA keys for speed. */
function laidFleet(files: Readonly<Record<string, string>>): string {
  const cwd = scratchFolder();
  cpSync('fixtures/fleet', cwd, { recursive: true });
  cpSync('fixtures/configs/payload/manifests', join(cwd, 'base/manifests'), { recursive: true });
  appendFileSync(join(cwd, 'base/sno-config.yaml'), 'certificates: {keyAlgorithm: ECDSA-P256}\n');
  for (const [name, text] of Object.entries(files)) {
    const path = join(cwd, name.replace(/^\+/, ''));
    mkdirSync(dirname(path), { recursive: true });
    if (name.startsWith('+')) appendFileSync(path, text);
    else writeFileSync(path, text);
  }
  return cwd;
}

const run = (cwd: string, ...args: readonly string[]): Promise<CommandOutput> =>
  snoInProcess(['fleet', ...args], { cwd });

const payloadOf = (file: string): string => `payload: { file: ${file} }\n`;

/** Places in a fleet that can name the payload of south-1. */
const places: readonly { readonly name: string; readonly files: Readonly<Record<string, string>> }[] = [
  {
    name: 'the base',
    files: { '+base/sno-config.yaml': payloadOf('../a.payload'), 'a.payload.json': manifest },
  },
  {
    name: 'a variable of fleet.yaml',
    files: {
      '+base/sno-config.yaml': payloadOf('"../${version}.payload"'),
      '+fleet.yaml': '  version: 4.22.0\n',
      '4.22.0.payload.json': manifest,
    },
  },
  {
    name: 'a class',
    files: {
      '+fleet.yaml': 'classes: [far]\n',
      'classes/far/sno-config.yaml': payloadOf('a.payload'),
      'classes/far/a.payload.json': manifest,
    },
  },
  {
    name: 'an override',
    files: {
      'overrides/south-1/sno-config.yaml': payloadOf('a.payload'),
      'overrides/south-1/a.payload.json': manifest,
    },
  },
];

describe('the payload of a fleet', () => {
  it.each(places)('is named by $name, and its manifest is an input of the site', async ({ files }) => {
    const cwd = laidFleet(files);
    expect(await run(cwd, 'validate')).toMatchObject({ code: 0, stderr: '' });
    expect(await run(cwd, 'create', '--only', 'south-1')).toMatchObject({ code: 0, stderr: '' });
    const status = (): Promise<CommandOutput> => run(cwd, 'status', '--only', 'south-1');
    expect((await status()).stdout).toContain('1  up to date');

    const path = join(cwd, Object.keys(files).find((name) => name.endsWith('.payload.json')) ?? '');
    writeFileSync(path, otherManifest);
    expect((await status()).stdout).toContain('1  outdated: inputs changed');
    expect(await run(cwd, 'create', '--only', 'south-1')).toMatchObject({ code: 0, stderr: '' });

    rmSync(path);
    const { code, stderr } = await run(cwd, 'validate');
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[payload/manifest]')]);
  });

  it('without its manifest is one problem of all sites, at the line of the base', async () => {
    const cwd = laidFleet({ '+base/sno-config.yaml': payloadOf('../a.payload') });
    const { stderr } = await run(cwd, 'validate');
    expect(stderr).toContain(
      'error[payload/manifest]: the manifest of the payload, "../a.payload.json", is not there (all 3 sites)\n  --> base/sno-config.yaml:',
    );
  });
});
