import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { runRequest } from '../../src/cli/request.js';
import { isFipsHost } from '../../src/disk/file-systems/fips-host.js';
import { run } from '../../src/run/run.js';
import { fleetFolder } from '../fleet/files.js';
import { snapshot } from '../support/command.js';
import { snoConfigText } from '../support/minimal-config.js';
import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

const config = readFileSync('fixtures/configs/fips/install-config.yaml', 'utf8');
const message = 'warning[config/fips-host]: fips is true, but this host is not in FIPS mode';
const variables = { SOURCE_DATE_EPOCH: '1767323045' };

let state = '';
beforeAll(async () => {
  state = await throwawayState({ 'install-config.yaml': config });
});

function siteFolder(): string {
  const dir = join(scratchFolder(), 'site');
  mkdirSync(dir);
  writeFileSync(join(dir, 'install-config.yaml'), config);
  writeFileSync(join(dir, '.sno-install-state.json'), state, { mode: 0o600 });
  return dir;
}

/** First lines of the warnings about FIPS in the output of a command. */
async function warningsOf(...args: readonly string[]): Promise<readonly string[]> {
  const { code, stderr } = await snoInProcess(args, { variables });
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  return stderr.split('\n').filter((line) => line.startsWith('warning[config/fips-host]'));
}

describe.skipIf(isFipsHost())('a site with fips on a host without FIPS mode', () => {
  it('is reported once by validate and by each create, also if nothing has changed', async () => {
    const dir = siteFolder();

    for (const args of [
      ['validate', '--dir', dir],
      ['create', 'manifests', '--dir', dir],
      ['create', 'single-node-ignition-config', '--dir', dir],
      ['create', 'single-node-ignition-config', '--dir', dir],
    ])
      expect([args[1], await warningsOf(...args)]).toEqual([args[1], [message]]);
  });

  it('is not reported by commands that generate nothing', async () => {
    expect(await warningsOf('images', '--dir', siteFolder())).toEqual([]);
  });

  it('has the outputs and the state of a host in FIPS mode', async () => {
    const made = [];
    for (const isFips of [false, true]) {
      const dir = siteFolder();
      const options = { dir, logLevel: 'info', output: 'text' } as const;
      const request = runRequest('single-node-ignition-config', options);
      // The command line is recorded; it is that of the test.
      const result = await run({ ...request, variables, isFipsHost: isFips });
      expect(result.ok).toBe(true);
      const warnings = result.ok ? result.warnings.map(({ code }) => code) : [];
      expect(warnings.includes('config/fips-host')).toBe(!isFips);
      made.push(snapshot(dir));
    }
    expect(made[0]).toEqual(made[1]);
  });
});

describe.skipIf(isFipsHost())('a fleet with fips on a host without FIPS mode', () => {
  const site = (text: string): string => text.replace('name: sno-fips', 'name: ${name}');
  const fleets = {
    'fips in the base': { 'base/install-config.yaml': site(config) },
    'fips in overrides': {
      'base/install-config.yaml': site(config).replace('fips: true\n', ''),
      'overrides/north-1/install-config.yaml': 'fips: true\n',
      'overrides/north-2/install-config.yaml': '# FIPS\nfips: true\n',
    },
  };

  it.each(Object.entries(fleets))('%s is reported once', async (_, files) => {
    // ECDSA keys are generated faster than RSA keys.
    const keys = 'certificates: { keyAlgorithm: ECDSA-P256 }\n';
    const dir = fleetFolder({
      ...files,
      'base/sno-config.yaml': snoConfigText('hostname: ${name}\nnodeIP: ${ip}\n' + keys),
    });

    for (const command of ['validate', 'create', 'create'])
      expect([command, await warningsOf('fleet', command, '--dir', dir)]).toEqual([
        command,
        [`${message} (all 2 sites)`],
      ]);
  });
});
