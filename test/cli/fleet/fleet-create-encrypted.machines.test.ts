import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fleetFolder } from '../../fleet/files.js';
import { ageKeys } from '../../support/age-keys.js';
import { sno, snapshot } from '../../support/command.js';

describe('a fleet with recipients', () => {
  it('is encrypted to all recipients, needs an identity only for changed sites, and has no secret in fleet.json', () => {
    const { recipient, identity } = ageKeys.ours;
    const dir = fleetFolder({
      'fleet.yaml': `apiVersion: sno-install/v1alpha1\nkind: Fleet\nsites: sites.csv\nrecipients: [${recipient}]\nencryptOutputs: true\n`,
      'sites.csv': 'name,ip\nnorth-1,192.168.126.10\n',
      'overrides/north-1/sno-config.yaml': `state: { recipients: [${ageKeys.others.recipient}] }\n`,
      identity: `${ageKeys.others.identity}\n`,
    });
    const create = ['fleet', 'create', '--dir', dir, '--jobs', '1'];
    expect(sno(create)).toMatchObject({ code: 0, stderr: '' });
    const made = snapshot(join(dir, 'out'));
    const names = Object.keys(made).filter((path) => /\.ign|auth\/|state\.json/.test(path));
    expect(names.map((path) => [path, made[path]?.includes('BEGIN AGE ENCRYPTED FILE')])).toEqual([
      ['north-1/.sno-install-state.json', true],
      ['north-1/auth/kubeadmin-password.age', true],
      ['north-1/auth/kubeconfig.age', true],
      ['north-1/bootstrap-in-place-for-live-iso.ign.age', true],
      ['north-1/worker.ign.age', true],
    ]);
    expect(Object.values(made).join()).not.toContain('PRIVATE KEY');
    expect(sno(create).stdout).toMatch(/^ +1 {2}unchanged/m);

    writeFileSync(join(dir, 'sites.csv'), 'name,ip\nnorth-1,192.168.126.12\n');
    const closed = sno(create);
    expect(closed.code).toBe(1);
    expect(closed.stderr).toContain('error[state/no-identity]');
    expect(snapshot(join(dir, 'out/north-1'))).toEqual(
      Object.fromEntries(
        Object.entries(made)
          .filter(([path]) => path.startsWith('north-1/'))
          .map(([path, text]) => [path.slice('north-1/'.length), text]),
      ),
    );
    expect(identity).not.toBe(ageKeys.others.identity);
    expect(sno([...create, '--identity', join(dir, 'identity')])).toMatchObject({ code: 0, stderr: '' });
  });
});
