import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { emptyState, serializeState, stateFileName } from '../../src/disk/state/state-file.js';
import { sno, snapshot, type CommandResult } from '../support/command.js';
import { snoInProcess } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

const withoutRandomness = ['--import', pathToFileURL(resolve('test/support/no-chance.mjs')).href];

function site(settings: string): string {
  const dir = join(scratchFolder(), 'site');
  mkdirSync(dir);
  writeFileSync(join(dir, 'install-config.yaml'), minimalInstallConfig);
  if (settings !== '') writeFileSync(join(dir, 'sno-config.yaml'), snoConfigText(settings));
  return dir;
}

function validate(dir: string, ...more: readonly string[]): CommandResult {
  return sno(['validate', '--dir', dir, ...more], { nodeArguments: withoutRandomness });
}

const kinds: readonly { readonly name: string; readonly settings: string }[] = [
  { name: 'the default', settings: '' },
  { name: 'RSA-4096', settings: 'certificates: { keyAlgorithm: RSA-4096 }\n' },
  { name: 'ECDSA-P384', settings: 'certificates: { keyAlgorithm: ECDSA-P384 }\n' },
  { name: 'a control plane rendered here', settings: 'controlPlane: { render: Installer }\n' },
];

describe('validate uses no random values', () => {
  it.each(kinds)('without a state: $name', ({ settings }) => {
    const dir = site(settings);
    const before = snapshot(dir);

    const result = validate(dir);

    expect(result).toMatchObject({ code: 0, stderr: expect.not.stringContaining('error') as string });
    expect(snapshot(dir)).toEqual(before);
  });

  it('for an all-in-one machine', () => {
    const dir = join(scratchFolder(), 'site');
    cpSync('fixtures/configs/aio-minimal', dir, { recursive: true });

    expect(validate(dir, '--target', 'aio-ignition').code).toBe(0);
  });

  it('with stored keys and new certificates', async () => {
    const dir = site('certificates: { keyAlgorithm: ECDSA-P256 }\n');
    const files = {
      'install-config.yaml': minimalInstallConfig,
      'sno-config.yaml': readFileSync(join(dir, 'sno-config.yaml'), 'utf8'),
    };
    writeFileSync(join(dir, stateFileName), await throwawayState(files), { mode: 0o600 });

    expect(validate(dir)).toMatchObject({ code: 0, stderr: '' });
  });

  it('unlike create, which fails without random values', () => {
    const dir = site('');

    const result = sno(['create', 'single-node-ignition-config', '--dir', dir], {
      nodeArguments: withoutRandomness,
    });

    expect(result.code).toBe(70);
    expect(result.stderr).toContain('random values requested');
  });
});

describe('validate', () => {
  it('judges a draw that is kept and broken, as create does', async () => {
    const dir = site('');
    const generatedValues = {
      'key/rsa-2048/tls/root-ca': 'no key',
      'uuid/cluster': 'no id',
      'bcrypt/kubeadmin-password': 'x',
    };
    writeFileSync(join(dir, stateFileName), serializeState({ ...emptyState, generatedValues }), {
      mode: 0o600,
    });

    const [checked, created] = [
      validate(dir),
      await snoInProcess(['create', 'single-node-ignition-config', '--dir', dir]),
    ];

    expect(checked.stderr.match(/error\[dir\/state-draw\]/g)).toHaveLength(3);
    expect([checked.code, checked.stderr]).toEqual([
      created.code,
      created.stderr.replace('; nothing was written', ''),
    ]);
  });

  it('reports an output that create would not overwrite', async () => {
    const dir = site('');
    writeFileSync(join(dir, 'worker.ign'), '{}');

    const [checked, created] = [
      validate(dir),
      await snoInProcess(['create', 'single-node-ignition-config', '--dir', dir]),
    ];

    expect(checked.stderr).toContain('error[dir/output-edited]');
    expect([checked.code, checked.stderr]).toEqual([
      created.code,
      created.stderr.replace('; nothing was written', ''),
    ]);
  });
});
