import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { fleetFolder } from '../../fleet/files.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { snoInProcess } from '../../support/in-process.js';
import { readTree } from '../../support/read-tree.js';
import { scratchFolder } from '../../support/scratch.js';

const numbers = Array.from({ length: 12 }, (_, index) => index);
const rows = numbers.map((index) => `s-${index},10.9.${index}.0/24,10.9.${index}.10,${100 + index}`);

/** Sites whose VLAN interface is named after the VLAN. */
function vlanFleet(name: string): string {
  return fleetFolder({
    'sites.csv': `name,net,ip,vlan\n${rows.join('\n')}\n`,
    'base/install-config.yaml': minimalInstallConfig
      .replace('name: site1', 'name: ${name}')
      .replace('192.168.126.0/24', '${net}'),
    'base/sno-config.yaml': snoConfigText(`hostname: \${name}
nodeIP: \${ip}
network:
  interfaces:
    - name: ${name}
      type: vlan
      vlan:
        base-iface: eno1
        id: \${vlan}
      ipv4:
        enabled: true
        address:
          - ip: \${ip}
            prefix-length: 24
`),
  });
}

describe.each(['eno1.${vlan}', 'vlan${vlan}'])('sites with the interface %s', (name) => {
  const profile = `/etc/NetworkManager/system-connections/${name}.nmconnection`;

  test('share one tree, and a new VLAN of all of them is one group of differences', async () => {
    const dir = vlanFleet(name);
    const golden = join(scratchFolder(), 'golden');
    const made = await snoInProcess(['fleet', 'golden', '--dir', dir, '--out', golden]);
    expect(made.code, made.stderr).toBe(0);
    const tree = readTree(golden);
    expect(Object.keys(tree).filter((path) => /^(?:sites|groups)\//.test(path))).toEqual([]);
    const text = tree[`all/bootstrap-in-place-for-live-iso.ign.d${profile}`] ?? '';
    expect(text).toContain(`\nuuid=<UUID of vlan://${name}>\n`);
    expect(tree['sites.csv']).toContain('\ns-3,10.9.3.0/24,10.9.3.10,103\n');

    const check = ['fleet', 'golden', '--dir', dir, '--out', golden, '--check'];
    expect(await snoInProcess(check)).toMatchObject({ code: 0 });
    const table = join(dir, 'sites.csv');
    writeFileSync(table, readFileSync(table, 'utf8').replaceAll(/,1(\d\d)$/gm, ',2$1'));
    const { code, stdout } = await snoInProcess(check);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^all 12 sites\n~ sheet Network\n/);
    expect(stdout).toContain(` → ${profile} in `);
    expect(stdout).toMatch(/ differences in 12 of 12 sites: /);
    expect(stdout).not.toMatch(/^\d+ sites?: /m);
  });
});
