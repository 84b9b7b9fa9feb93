import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it, test } from 'vitest';

import { authorizedKey } from '../../src/formats/keys/openssh.js';
import { privateKeyOf } from '../../src/formats/keys/private-key.js';
import { etcdImage } from '../shell/disk/machine-files.js';
import { liveMachine } from '../shell/disk/machine.js';
import { environmentOf, runUnit, siteOf, type Site } from '../analysis/support/incident.js';
import { sshServer } from '../analysis/support/ssh-server.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { describeWith } from '../support/programs.js';
import { seededEcKey, seededRsaKey } from '../support/seeded-keys.js';
import { rsaKey, label, site, filesIn } from './gather-site.js';

/** A machine that stopped because fetching the master config failed. */
function stoppedMachine(): Site {
  const machine = liveMachine({ stubbedScripts: [] });
  machine.fail('curl', 'always');
  const machineSite = siteOf(machine);
  const args = ['--etcd-image', etcdImage, '--cluster-bootstrap-image', 'example.com/cb:test'];
  runUnit(machineSite, 'bootkube', 'bootstrap-in-place.sh', { args });
  return machineSite;
}

/** The environment of a machine, with the node's scripts on the PATH. */
function environmentWithScripts(machine: Site): Readonly<Record<string, string>> {
  const environment = environmentOf(machine);
  const path = `${join(machine.root, 'usr/local/bin')}:${environment['PATH'] ?? ''}`;
  return { ...environment, PATH: path };
}

async function gather(dir: string, ...args: readonly string[]): Promise<CommandOutput> {
  return await snoInProcess(['gather', '--dir', dir, ...args]);
}

describeWith(['ssh', 'sshd', 'ssh-keygen', 'bash', 'jq', 'tar'], 'gather, from a real sshd', () => {
  const algorithms = [
    { name: 'RSA', generatedValues: { [label]: rsaKey }, key: rsaKey },
    ...(['P-256', 'P-384'] as const).map((curve) => {
      const key = seededEcKey(`bootstrap ssh ${curve}`, curve);
      return { name: curve, generatedValues: { [`key/${curve.toLowerCase()}/tls/bootstrap-ssh`]: key }, key };
    }),
  ];

  test.each(algorithms)('with the key of the state file: $name', async ({ generatedValues, key }) => {
    const machine = stoppedMachine();
    const folder = dirname(machine.root);
    const { address } = await sshServer({
      folder,
      authorizedKeys: [authorizedKey(privateKeyOf(key))],
      variables: environmentWithScripts(machine),
    });
    const dir = site(generatedValues);

    const result = await gather(dir, '--bootstrap', address, '--output', 'json');

    expect(result).toMatchObject({ code: 0, stderr: '' });
    const [name = ''] = filesIn(dir);
    const path = join(dir, name);
    expect(filesIn(dir)).toHaveLength(1);
    expect(name).toMatch(/^log-bundle-\d{14}\.tar\.gz$/);
    expect(JSON.parse(result.stdout)).toEqual({
      ok: true,
      problems: [],
      bundle: { path, bytes: statSync(path).size },
    });
    expect(statSync(path).mode & 0o7777).toBe(0o600);
    expect(readdirSync(join(machine.root, 'tmp'))).toEqual([]);
    expect(readdirSync(join(machine.root, 'root'))).toEqual([]);
    const analysis = await snoInProcess(['analyze', path]);
    expect(analysis.code).toBe(1);
    expect(analysis.stdout).toContain('[mcs-http-error]');
  });

  it('reports a wrong key, script or port', async () => {
    const machine = stoppedMachine();
    const folder = dirname(machine.root);
    const { address } = await sshServer({
      folder,
      authorizedKeys: [authorizedKey(privateKeyOf(rsaKey))],
      variables: environmentOf(machine),
    });
    const dir = site();
    const otherKey = join(folder, 'other_key');
    writeFileSync(otherKey, seededRsaKey('a stranger', 2048), { mode: 0o600 });

    const results = [
      await gather(dir, '--bootstrap', address, '--key', otherKey),
      await gather(dir, '--host', address),
      await gather(dir, '--bootstrap', '127.0.0.1:1'),
    ];

    expect(results.map(({ code }) => code)).toEqual([1, 1, 1]);
    const codes = results.map(({ stderr }) => /error\[(.*?)\]/.exec(stderr)?.[1]);
    expect(codes).toEqual(['support/key-refused', 'support/script-missing', 'support/host-unreachable']);
    expect(results[2]?.stderr).toContain('Connection refused');
    expect(filesIn(dir)).toEqual([]);
    for (const { stderr, stdout } of results)
      expect(`${stderr}${stdout}`).not.toContain(rsaKey.split('\n')[3]);
  });
});
